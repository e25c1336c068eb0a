import { Vezne, VezneError } from './vezne.ts'

/** Globals that `<script src=".../element.js">` adds to a page. */
Object.assign(window, { Vezne: Object.assign(Vezne, { VezneError }) })
