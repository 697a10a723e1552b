import { failure } from '../store/failure.ts';
import { pointTo, tokensOf } from './pointer.ts';

/** Matches the unexpected word in a parser message; '' at the end of the text. */
const FOUND = /but found(?:: '| --> '|: )([\s\S]*?)'?(?: <--)?$/;
const BAD_CHARACTER = /unexpected character: ->([\s\S])<- at offset: (\d+)/;

/**
 * The parser's refusal of a text in Salesforce's words. The parser decides which word is wrong. The column counts from 0, and a text whose
 * first word is wrong, or that ends too early, has no pointer, as in published examples.
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

/** The position of the first word that makes the text invalid. */
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
