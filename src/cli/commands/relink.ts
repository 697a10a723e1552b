import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import type { JudgedMove, Move } from '../../operator/records/judge-moves.ts';
import { type RecordsRelinked, relinkRecords } from '../../operator/records/relink-records.ts';
import { CliError, EXIT } from '../exit.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { readOpportunityId } from '../record-ids.ts';

type Options = {
  readonly tenant?: string;
  readonly file?: string;
  readonly field?: string;
  readonly prefer?: 'crm' | 'vendor';
  readonly yes?: boolean;
};

/** `lockstep relink`: after a tenant's migration to another Salesforce org, links each deal to its opportunity in the new org. */
export const addRelink = operatorVerb({
  name: 'relink',
  example: `Examples:
  lockstep relink --field Former_Id__c                 shows what would be moved; changes nothing
  lockstep relink --field Former_Id__c --yes           moves the deals
  lockstep relink --file ids.csv --yes                 each line of the file: former id, new id

Use it after the opportunities of a tenant were migrated to another org, while the tenant is paused (lockstep tenants pause). The field is
one of the new opportunities and contains the former id. A moved deal is merged like a newly linked one, and the vendor gets its new
reference. Repeatable. Exits with 2 when a deal would be moved, or cannot be.`,
  takes: (command) =>
    tenantOption(command)
      .option('--file <path>', 'a file with a former and a new opportunity on each line, separated by a comma')
      .option('--field <field>', 'the field of the new opportunities that names the former one', readField)
      .addOption(new Option('--prefer <side>', 'the side whose differing values stay').choices(['crm', 'vendor']))
      .option('--yes', 'move the deals; without this option the command only shows them'),
  run: async (tools, { tenant: named, file, field, prefer, yes = false }: Options) => {
    const { tenant } = await tools.tenant(named);
    const by = field === undefined ? { pairs: readMoves(given(file)) } : { field };
    const ports = {
      ledger: await tools.ledger(),
      crm: (await tools.readable(named)).crm,
      intake: () => tools.intake(),
    };
    const order = { by, prefer: prefer ?? null, isOrdered: yes };
    return { shape: 'relink/1', ...(await relinkRecords(ports, tenant, order, tools.now())) } as const;
  },
  effect: ({ tenant, prefer, yes = false }) =>
    yes ? { tenant: { given: tenant }, details: { ...(prefer === undefined ? {} : { prefer }) } } : null,
  lines: (answer) => relinkLines(answer),
  needsAttention: ({ moves }) => moves.some(({ verdict }) => verdict !== 'moved' && verdict !== 'done'),
});

function readField(text: string): string {
  if (/^[A-Za-z]\w{0,79}$/.test(text)) return text;
  throw new CliError('It is no field, such as Former_Id__c.', EXIT.usage);
}

function given(file: string | undefined): string {
  if (file === undefined) throw new CliError('Give --file or --field.', EXIT.usage);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CliError(`The file ${file} cannot be read.`);
  }
}

/**
 * Parses pairs of an old and a new id. A first line without ids is skipped as a heading. Throws CliError with the number of the first wrong
 * line.
 */
export function readMoves(text: string): readonly Move[] {
  const lines = text.split(/\r?\n/).map((line) =>
    line
      .replaceAll('"', '')
      .split(/[,;\t]/)
      .map((cell) => cell.trim()),
  );
  return lines.flatMap((cells, at) => {
    const [from = '', to = ''] = cells;
    if (from === '' && to === '') return [];
    if (at === 0 && !from.startsWith('006') && !to.startsWith('006')) return [];
    try {
      return [{ from: readOpportunityId(from), to: readOpportunityId(to) }];
    } catch {
      throw new CliError(`Line ${at + 1} does not hold two opportunity ids.`);
    }
  });
}

const WORDS: Readonly<Record<JudgedMove['verdict'], string>> = {
  move: 'to be moved',
  moved: 'moved, and on the way',
  done: 'moved before',
  unknown: 'known to no deal of this tenant',
  'not-in-org': 'with a new id that the org does not have',
  taken: 'with a new id that is linked to another deal',
  twice: 'named twice',
  busy: 'changed meanwhile, or a create is under way: run it again',
};

const MOST_LISTED = 20;

/** The deals of a move to another org as lines of text: how many can be moved or were moved, then each deal that cannot be moved. */
export function relinkLines({ tenant, moves, applied, withoutNewId }: RecordsRelinked): readonly string[] {
  const counts = Map.groupBy(moves, ({ verdict }) => verdict);
  const wrong = moves.filter(({ verdict }) => !['move', 'moved', 'done'].includes(verdict));
  return [
    `${tenant}: ${counted(moves.length, 'new id')} found`,
    ...[...counts].map(([verdict, those]) => `  ${those.length} ${WORDS[verdict]}`),
    ...(withoutNewId === 0 ? [] : [`  ${counted(withoutNewId, 'linked deal')} without a new id`]),
    ...wrong.slice(0, MOST_LISTED).map(({ from, to, verdict }) => `  ${from} to ${to}: ${WORDS[verdict]}`),
    ...(applied || !counts.has('move') ? [] : ['Nothing was done; --yes moves them.']),
  ];
}
