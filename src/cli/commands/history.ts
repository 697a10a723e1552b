import { linkedByWords } from '../../domain/record/linked-by.ts';
import { type HistoryLine, type RecordHistory, readHistory } from '../../operator/records/read-history.ts';
import { crmIdsOf, type DealNames, NO_NAMES } from '../deal-names.ts';
import { readInstant, readLimit } from '../flags.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { ID_HELP, readId } from '../record-ids.ts';

type Options = { readonly tenant?: string; readonly since?: string; readonly limit: number; readonly values?: true };

const LISTED = 100;

/** `lockstep history <id>`: shows what happened to a record. */
export const addHistory = operatorVerb({
  name: 'history',
  example: `Example:
  lockstep history 006Hs00001ABCDEIA5
  lockstep history LO-00000005 --since 2026-01-01 --values

Reads the record's journal and no remote system, oldest line first. Only --values shows field values; it needs the sealing
key, and the journal notes it.`,
  takes: (command) =>
    tenantOption(command)
      .argument('<id>', ID_HELP, readId)
      .option('--since <instant>', 'only lines since this instant, such as 2026-01-01', readInstant)
      .option('--limit <n>', 'the number of lines shown at most, the latest ones', readLimit, LISTED)
      .option('--values', 'show the values of both sides, and the last value on which they agreed'),
  run: async (tools, id: string, { tenant: named, since, limit, values }: Options) => {
    const { tenant } = await tools.tenant(named);
    const order = { id, since: since ?? null, limit, withValues: values === true };
    return readHistory(await tools.ledger(), tenant, order, tools.now());
  },
  effect: 'reads',
  deals: (history: RecordHistory) => [{ tenant: history.tenant, crmIds: crmIdsOf([history]) }],
  lines: historyLines,
});

export function historyLines(history: RecordHistory, { named }: DealNames = NO_NAMES): readonly string[] {
  const { tenant, key, crmId, vendorId, state, linkedBy, lines, isCut } = history;
  const ids = [crmId === null ? null : named(crmId), vendorId].filter((one) => one !== null).join(' ') || key;
  return [
    `${tenant}: ${ids}, ${state}`,
    ...(linkedBy === null ? [] : [`  linked ${linkedBy.at}: ${linkedByWords(linkedBy)}`]),
    ...(isCut ? [`  older lines are not shown: lockstep history ${key} --limit 9999 --tenant ${tenant}`] : []),
    ...lines.toReversed().flatMap(lineTexts),
  ];
}

function lineTexts({ at, kind, summary, decisions }: HistoryLine): readonly string[] {
  const said = Object.entries(summary).filter(([, value]) => value !== null && value !== '');
  return [
    `${at} ${kind}: ${said.map(([name, value]) => `${name} ${String(value)}`).join(', ')}`,
    ...decisions.flatMap(({ field, verdict, rule, values }) => [
      `  ${field}: ${verdict}, ${rule}`,
      ...(values === undefined
        ? []
        : [
            `    Salesforce ${JSON.stringify(values.crm)}, vendor ${JSON.stringify(values.vendor)}, agreed before ${JSON.stringify(values.base.crm)}`,
          ]),
    ]),
  ];
}
