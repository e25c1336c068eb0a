import { reconcileCommand } from './reconcile.ts'

export const reconciliationCommands = [reconcileCommand]
