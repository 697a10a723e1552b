import { choice } from './fields.ts';
import type { Country, FieldDef } from './types.ts';

const PLACE = /^([A-Z]{2})(?:-([A-Z0-9]{1,3}))?(?:=(.+))?$/;

/**
 * The countries of an org with State and Country/Territory Picklists from `CODE` or `CODE=NAME`, each before its states as
 * `CODE-STATE=NAME`. The name, which is the integration value, is the English one where none is given. Throws with a sentence when one is
 * neither, is given twice, or is a state without its country or its name.
 */
export function readCountries(texts: readonly string[]): readonly Country[] {
  const countries = new Map<string, { code: string; name: string; states: { code: string; name: string }[] }>();
  for (const text of texts) {
    const [, code, state, name] = PLACE.exec(text.trim()) ?? [];
    if (code === undefined) throw new Error(`A country is CODE or CODE=NAME, a state CODE-STATE=NAME: not ${text}.`);
    const country = countries.get(code);
    if (state === undefined) {
      if (country !== undefined) throw new Error(`Each country stands once: ${code} does not.`);
      countries.set(code, { code, name: name ?? nameOf(code), states: [] });
    } else {
      if (country === undefined || name === undefined)
        throw new Error(`A state follows its country and has a name: not ${text}.`);
      if (country.states.some((each) => each.code === state))
        throw new Error(`Each state stands once: ${code}-${state} does not.`);
      country.states.push({ code: state, name });
    }
  }
  return [...countries.values()];
}

function nameOf(code: string): string {
  const name = new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
  if (name === code) throw new Error(`Nobody knows the country ${code}: give it a name, as ${code}=NAME.`);
  return name;
}

/** Field prefixes of each object's addresses to which the picklists apply. */
export const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  Account: ['Billing', 'Shipping'],
  Contact: ['Mailing'],
  Lead: [''],
};

/** The code fields of an object's addresses, in an org with the picklists. A state depends on its country. */
export function addressCodeFields(object: string, countries: readonly Country[]): readonly FieldDef[] {
  if (countries.length === 0) return [];
  const places = countries.map(({ code, name }) => ({ value: code, label: name, isDefault: false }));
  const states = countries.flatMap((country, position) =>
    country.states.map(({ code, name }) => ({
      value: code,
      label: name,
      isDefault: false,
      validFor: [position],
    })),
  );
  return (ADDRESSES[object] ?? []).flatMap((prefix) => {
    const [country, state] = [`${prefix}CountryCode`, `${prefix}StateCode`];
    const label = (what: string): string => [prefix, what, 'Code'].filter(Boolean).join(' ');
    return [
      choice(country, [], { label: label('Country'), picklist: places, restricted: true }),
      choice(state, [], {
        label: label('State/Province'),
        picklist: states,
        restricted: true,
        controller: country,
      }),
    ];
  });
}

export function isAddressCode({ custom, name }: FieldDef): boolean {
  return !custom && /(Country|State)Code$/.test(name);
}
