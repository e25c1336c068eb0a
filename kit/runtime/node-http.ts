/**
 * Node's own HTTP. An `import` of it reads everything that it exports, also the WebSocket, whose loading takes ten times as
 * long as the rest: 70 ms of every start.
 */
export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')
