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
