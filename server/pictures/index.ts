export { flagUrl, mountFlags } from './flags.ts'
