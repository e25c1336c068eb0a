import { join } from 'node:path'
import { makeElementPackage } from './element-package.ts'

/** Builds the package `@vezne/element` in dist/element, ready for `npm publish`. */
await makeElementPackage(join(import.meta.dirname, '..', 'dist', 'element'))
process.stdout.write('dist/element is @vezne/element.\n')
