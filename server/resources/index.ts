export {
  newResourceRecord,
  resourceColumns,
  shownRecord,
  shownResourceFields,
  withNotedChange,
} from './record.ts'
export { Resource } from './resource.ts'
