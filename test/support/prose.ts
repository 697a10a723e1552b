/** Words that comments and pages must not use, and their replacements (`docs/vocabulary.md`). */
const REFUSED: readonly (readonly [words: RegExp, say: string])[] = [
  [/\b(un)?told\b/gi, 'told: notified, signalled, known, sent, shown, returned or named'],
  [/\bheed(s|ed|ing)?\b/gi, 'heed: accept, follow, observe'],
  [/\banew\b/gi, 'anew: again'],
  [/\bby itself\b/gi, 'by itself: automatically, alone, or leave it out'],
  [/\bof which\b/gi, 'of which: begin another sentence'],
  [/\banother hand\b/gi, 'another writer: another writer'],
  [/\ba person['’]s word\b/gi, 'a person’s word: manually, a manual retry, an operator’s command'],
];

/**
 * Folders whose own files (without subfolders) are free of these words, sorted. After rewriting a folder, add it here; the test then keeps
 * the words out.
 */
export const CLEAN: readonly string[] = [
  'activities',
  'activities/audit',
  'activities/backfill',
  'activities/fleet',
  'activities/keys',
  'activities/lane',
  'activities/opportunity',
  'activities/outage',
  'activities/streams',
  'activities/support',
  'playground/demo',
  'playground/home',
  'playground/postgres',
  'playground/simulators',
  'playground/temporal',
  'src/cli/running',
  'src/domain/audit',
  'src/domain/backfill',
  'src/domain/base',
  'src/domain/decide',
  'src/domain/evolve',
  'src/domain/lines',
  'src/domain/loop',
  'src/domain/mapping',
  'src/domain/mapping/crm',
  'src/domain/mapping/kinds',
  'src/domain/mapping/own-rules',
  'src/domain/mapping/vendor',
  'src/domain/merge',
  'src/domain/record',
  'src/domain/streams',
  'src/domain/values',
  'src/intake',
  'src/ledger',
  'src/ledger/backfill',
  'src/ledger/core',
  'src/ledger/links',
  'src/ledger/migrations',
  'src/ledger/mirror',
  'src/ledger/plans',
  'src/ledger/queue',
  'src/ledger/quota',
  'src/ledger/stats',
  'src/ledger/streams',
  'src/ledger/tenants',
  'src/ledger/upkeep',
  'src/mirror',
  'src/operator/doctor',
  'src/operator/explain',
  'src/operator/ledger',
  'src/operator/mapping',
  'src/operator/metrics',
  'src/operator/plan',
  'src/operator/records',
  'src/operator/runs',
  'src/operator/status',
  'src/operator/tenants',
  'src/partner-api/order/values',
  'src/partner-api/schema',
  'src/worker',
  'workflows',
];

/** Exact passages in which a refused word is needed, each with its file and the reason. */
export const ALLOWED: readonly { readonly file: string; readonly words: string; readonly reason: string }[] = [];

/** The refused words in a text's prose: in the comments of a `.ts` file, or in a page outside its code. Pure. */
export function refusedProse(name: string, text: string): readonly string[] {
  const allowed = ALLOWED.filter(({ file }) => file === name);
  const read = allowed.reduce((rest, { words }) => rest.replaceAll(words, ''), text);
  const prose = (name.endsWith('.ts') ? commentsOf(read) : pageOf(read)).replace(/\s+/g, ' ');
  return REFUSED.flatMap(([words, say]) => Array.from(prose.matchAll(words), () => say));
}

function pageOf(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

/** A string, a template, a regular expression with a quote in it, or a comment: whichever begins first. */
const TOKEN =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?{};]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n])+\/|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The comments of a source, without comment signs and code in back-ticks. */
function commentsOf(source: string): string {
  const tokens = source.match(TOKEN) ?? [];
  const comments = tokens.filter((token) => token.startsWith('/*') || token.startsWith('//'));
  return comments
    .map((comment) => comment.replace(/^\/[*/]+|\*\/$/g, '').replace(/^\s*\*+/gm, ''))
    .join('\n')
    .replace(/^\s*\/\//gm, '')
    .replace(/`[^`\n]*`/g, '');
}
