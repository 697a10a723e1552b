import type { SyncSummary } from '../activities/opportunity/summary.ts';
import type { Command } from '../src/domain/loop/step.ts';

/** How a deal is called in the UI: by the ids of its two sides, never by its business name. */
export function nameOf(key: string, ids: Pick<SyncSummary, 'crmId' | 'vendorId'>): string {
  return [ids.crmId, ids.vendorId].filter((id) => id !== null).join(' = ') || key;
}

/** What a command does, in words for the UI's current details. */
export function describe(command: Command): string {
  switch (command.type) {
    case 'plan':
      return command.vendor === 'read' ? 'deciding on both readings' : 'reading the CRM and deciding';
    case 'read-vendor':
      return 'reading the vendor';
    case 'search-vendor':
      return 'searching the vendor by our reference';
    case 'create-at-vendor':
      return 'creating at the vendor';
    case 'update-at-vendor':
      return 'updating the vendor';
    case 'write-crm':
      return 'writing the CRM';
    case 'create-in-crm':
      return 'creating in the CRM';
    case 'report':
      return 'telling the CRM the sync state';
    case 'outage':
      return `pausing ${command.group}`;
    case 'wait':
      return `waiting ${Math.ceil(command.ms / 1000)} s`;
    case 'complete':
      return 'done';
  }
}
