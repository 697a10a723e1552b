import { failure } from '../store/failure.ts';
import { pointTo, tokensOf } from './pointer.ts';

/** What the parser says that it came upon; '' at the end of the text. */
const FOUND = /but found(?:: '| --> '|: )([\s\S]*?)'?(?: <--)?$/;
const BAD_CHARACTER = /unexpected character: ->([\s\S])<- at offset: (\d+)/;

/**
 * The parser's refusal of a text in Salesforce's words. Which word is wrong is the parser's to say; the column counts from 0 here,
 * and a text that is wrong from its first word on, or ends too early, has no pointer: so it is in what others have published.
 */
export function syntaxFailure(soql: string, reason: string, parse: (text: string) => string | null): Error {
  const [, character, offset] = BAD_CHARACTER.exec(reason) ?? [];
  if (character !== undefined) {
    const message = `line 1:${offset} no viable alternative at character '${character}'`;
    return malformedAt(soql, Number(offset), message);
  }
  const found = FOUND.exec(reason)?.[1] ?? '';
  if (found === '') return failure(400, 'MALFORMED_QUERY', "unexpected token: '<EOF>'");
  const at = placeOf(soql, found, parse);
  return malformedAt(soql, at, `unexpected token: '${found}'`);
}

/** The first place of a word up to which, and no further, the text could go on. */
function placeOf(soql: string, found: string, parse: (text: string) => string | null): number {
  const places = tokensOf(soql).filter(({ text }) => text.toLowerCase() === found.toLowerCase());
  const wrong = places.find(({ text, at }) => {
    const reason = parse(soql.slice(0, at + text.length));
    return reason !== null && FOUND.exec(reason)?.[1]?.toLowerCase() === found.toLowerCase();
  });
  return (wrong ?? places[0])?.at ?? 0;
}

function malformedAt(soql: string, at: number, message: string): Error {
  return failure(400, 'MALFORMED_QUERY', at <= 0 ? message : pointTo(soql, at, at - 1, message));
}
