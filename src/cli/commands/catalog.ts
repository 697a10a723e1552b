import { Argument } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import {
  type CatalogAsked,
  type CatalogPart,
  type CatalogStatus,
  catalogStatus,
  refreshCatalog,
} from '../../operator/runs/catalog.ts';
import { operatorVerb, tenantArgument } from '../operator-verb.ts';

type What = 'refresh' | 'status';
type Options = { readonly tenant?: string };
type Answer = {
  readonly shape: 'catalog/1';
  readonly asked: CatalogAsked | null;
  readonly status: CatalogStatus;
};

/**
 * `lockstep catalog <what> [tenant]`: requests a refresh of the CRM's copy of the vendor's catalog (products, prices and offers), or shows
 * the state of the refreshes.
 */
export const addCatalog = operatorVerb({
  name: 'catalog',
  example: `Examples:
  lockstep catalog status acme          shows the progress, and which rows wait and why
  lockstep catalog refresh acme         reads products, prices and offers now, before the next scheduled refresh

A refresh reads the whole catalog, with lower priority than all work on deals, and writes the rows that differ. A row that the
vendor no longer shows is marked inactive in the CRM and never deleted.`,
  takes: (command) =>
    tenantArgument(command.addArgument(new Argument('<what>', 'what to do').choices(['refresh', 'status']))),
  run: async (tools, what: What, name: string | undefined, options: Options): Promise<Answer> => {
    const { tenant } = await tools.tenant(name ?? options.tenant);
    const ledger = await tools.ledger();
    const asked =
      what === 'refresh'
        ? await refreshCatalog({ ledger, starts: await tools.streamStarts() }, tenant, tools.now())
        : null;
    return { shape: 'catalog/1', asked, status: await catalogStatus(ledger, tenant) };
  },
  effect: (what, name, { tenant }) => (what === 'status' ? null : { word: what, tenant: { given: name ?? tenant } }),
  lines: ({ asked, status }) => [
    ...(asked === null
      ? []
      : [`${asked.tenant}: a refresh is asked for. lockstep catalog status ${asked.tenant} says how far it is.`]),
    ...status.parts.flatMap((part) => partLines(part)),
    ...status.kinds.map(kindLine),
    ...(status.kinds.some(isHeldByCurrency) ? [LACKS_CURRENCY] : []),
  ],
  needsAttention: ({ asked, status: { parts, kinds } }) =>
    asked === null &&
    (parts.some(({ failed, refused }) => failed.length > 0 || Object.keys(refused).length > 0) ||
      kinds.some(({ held }) => Object.keys(held).length > 0)),
});

const LACKS_CURRENCY =
  '  The org lacks these currencies: activate them there, or name those that are wanted in vendor.catalog.currencies of the tenant file.';

function isHeldByCurrency({ held }: CatalogStatus['kinds'][number]): boolean {
  return Object.keys(held).some((lacks) => lacks.startsWith('currency '));
}

function partLines({ stream, runningSince, doneAt, failed, refused }: CatalogPart): readonly string[] {
  const running = runningSince === null ? '' : `, another is under way since ${runningSince}`;
  const words =
    doneAt === null
      ? runningSince === null
        ? 'was never read'
        : `is read for the first time since ${runningSince}`
      : `was read ${doneAt}${running}`;
  return [
    `${stream} ${words}.`,
    ...(failed.length === 0 ? [] : [`  could not read: ${failed.join(', ')}; nothing of that leaves.`]),
    ...Object.entries(refused).map(
      ([reason, rows]) => `  ${counted(rows, 'row is', 'rows are')} refused by Salesforce: ${reason}`,
    ),
  ];
}

function kindLine({ kind, shown, pending, held }: CatalogStatus['kinds'][number]): string {
  const waiting = Object.entries(held).map(([lacks, rows]) => `${counted(rows, 'waits', 'wait')} for ${lacks}`);
  const more = [...(pending === 0 ? [] : [`${pending} to be written`]), ...waiting];
  return `  ${kind}: ${shown}${more.length === 0 ? '' : `, ${more.join(', ')}`}`;
}
