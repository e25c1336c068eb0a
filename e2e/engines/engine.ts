import type { Environment } from '../../server/config.ts'

/** A document in a window: the page itself or a frame at any depth. */
export interface EngineFrame {
  url: string
  /** Runs an expression of JavaScript in the document and returns its value. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Clicks the first of these elements with the mouse. */
  click(selector: string): Promise<void>
  /** Types text into this element, key by key. */
  type(selector: string, text: string): Promise<void>
  pressEnter(selector: string): Promise<void>
}

/** Window of a payer, without history or cookies. */
export interface EngineWindow {
  open(url: string): Promise<void>
  /** All documents, the page itself first. */
  frames(): Promise<EngineFrame[]>
  /** Picture of the visible part, as PNG. */
  picture(): Promise<Uint8Array>
  /** Closes the window. Returns what the engine reported and must not happen. */
  close(): Promise<string[]>
}

/** A running browser. */
export interface Engine {
  /** Name and version, as the browser tells them. */
  name: string
  openWindow(width: number, height: number): Promise<EngineWindow>
  close(): Promise<void>
}

export interface EngineOptions {
  env: Environment
  isDark: boolean
}

/** An engine that this machine may have. */
export interface EngineKind {
  name: string
  /** Debian packages that contain it. */
  packages: string[]
  isInstalled(): boolean
  start(options: EngineOptions): Promise<Engine>
}
