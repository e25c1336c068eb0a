/**
 * Node's HTTP module. An `import` would load all of its exports, including WebSocket, which takes ten times
 * as long as the rest: 70 ms of every start.
 */
export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')
