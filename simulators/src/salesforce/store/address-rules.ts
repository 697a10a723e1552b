import { ADDRESSES } from '../schema/countries.ts';
import type { Country } from '../schema/types.ts';
import { failure } from './failure.ts';
import type { SaveContext } from './rule-types.ts';

/**
 * Keeps codes and texts of an address consistent, in an org with State and Country/Territory Picklists (Help: "State and Country/Territory
 * Picklist Field-Syncing Logic"). A client may give either, and the other is derived. A text is an integration value, not a code. Throws
 * FIELD_INTEGRITY_EXCEPTION for a country or state that the org lacks, a state of another country, a state without a country, and, for an
 * existing row, a text and a code that do not match.
 */
export function syncAddresses(context: SaveContext): void {
  const { countries } = context.store.schema;
  if (countries.length === 0) return;
  for (const prefix of ADDRESSES[context.object.name] ?? []) syncAddress(context, prefix, countries);
}

type Place = { readonly code: string; readonly name: string };

function syncAddress(context: SaveContext, prefix: string, countries: readonly Country[]): void {
  const fields = { text: `${prefix}Country`, code: `${prefix}CountryCode` };
  const states = { text: `${prefix}State`, code: `${prefix}StateCode` };
  const isGiven = [...Object.values(fields), ...Object.values(states)].some((name) => context.given.has(name));
  if (!isGiven) return;
  const country = chosen(context, fields, countries, 'country');
  put(context, fields, country);
  const all = countries.flatMap((each) => each.states);
  const isOfCountry = isGivenOne(context, states) || country !== null;
  const state = isOfCountry ? chosenState(context, states, country, all) : null;
  put(context, states, state);
}

type Fields = { readonly text: string; readonly code: string };

function chosenState(
  context: SaveContext,
  fields: Fields,
  country: Country | null,
  all: readonly Place[],
): Place | null {
  const state = chosen(context, fields, country?.states ?? all, 'state', all);
  if (state !== null && country === null) {
    const message = `A country/territory must be specified before specifying a state value for field: ${labelOf(context, fields.text)}`;
    throw failure(400, 'FIELD_INTEGRITY_EXCEPTION', message, [fields.text]);
  }
  return state;
}

/** The country or state that a save sets: by the written field, or by the code if both fields were written. */
function chosen<P extends Place>(
  context: SaveContext,
  fields: Fields,
  places: readonly P[],
  what: 'country' | 'state',
  elsewhere: readonly Place[] = [],
): P | null {
  const { given, draft, before } = context;
  const [code, text] = [draft[fields.code], draft[fields.text]].map((value) => value ?? null);
  const byCode = given.has(fields.code) || !given.has(fields.text);
  if (byCode && code !== null) {
    const place = places.find((each) => each.code.toLowerCase() === String(code).toLowerCase());
    if (place === undefined) throw noSuchCode(context, fields, String(code), what, elsewhere);
    const differs = given.has(fields.text) && text !== null && text !== place.name;
    if (differs && before !== null) throw noSuchText(fields, what);
    return place;
  }
  if (!given.has(fields.text) || text === null) return null;
  const place = places.find((each) => each.name === text);
  if (place === undefined) throw noSuchText(fields, what);
  return place;
}

function isGivenOne({ given, draft }: SaveContext, fields: Fields): boolean {
  return [fields.code, fields.text].some((name) => given.has(name) && (draft[name] ?? null) !== null);
}

function put({ draft }: SaveContext, fields: Fields, place: Place | null): void {
  draft[fields.code] = place?.code ?? null;
  draft[fields.text] = place?.name ?? null;
}

function noSuchText(fields: Fields, what: 'country' | 'state'): Error {
  const plural = { country: 'countries', state: 'states' }[what];
  const message = `There's a problem with this ${what}, even though it may appear correct. Please select a ${what} from the list of valid ${plural}.`;
  return failure(400, 'FIELD_INTEGRITY_EXCEPTION', message, [fields.text]);
}

function noSuchCode(
  context: SaveContext,
  fields: Fields,
  code: string,
  what: 'country' | 'state',
  elsewhere: readonly Place[],
): Error {
  const isElsewhere = elsewhere.some((each) => each.code.toLowerCase() === code.toLowerCase());
  const noun = what === 'country' ? 'country/territory' : 'state';
  const message = isElsewhere
    ? `The existing country/territory doesn't recognize the state value for field: ${labelOf(context, fields.code)}`
    : `The ${fields.code} field contains ${code}, which isn't an available ${noun}. Your administrator can add it for you.`;
  return failure(400, 'FIELD_INTEGRITY_EXCEPTION', message, [fields.code]);
}

function labelOf({ object }: SaveContext, name: string): string {
  return object.fields.get(name.toLowerCase())?.label ?? name;
}
