import { Vezne, VezneError } from './vezne.ts'

/** What `<script src=".../element.js">` gives to a page. */
Object.assign(window, { Vezne: Object.assign(Vezne, { VezneError }) })
