/**
 * Removes one person, identified by an e-mail address, from values that the ledger (Lockstep's database) stores: contacts, owners, field
 * decisions, plans. Pure.
 */

/** A value from which a person was removed. `value`: the remaining value; `found`: how often the person occurred in the value. */
export type WithoutPerson = { readonly value: unknown; readonly found: number };

const ERASED = '[erased]';

/** Whether a text can be an e-mail address that names one person. */
export function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 320;
}

/**
 * Removes the person with this e-mail address (in any letter case) from a value. A list entry that describes the person (has the address
 * and a name) is removed. In any other object that describes the person, all texts become null. An object's member whose name contains the
 * address is removed. A text that equals the address becomes null. In a longer text, the address becomes `[erased]`; a text with the
 * address in percent-encoded form becomes `[erased]` as a whole.
 */
export function withoutPerson(value: unknown, email: string): WithoutPerson {
  const address = email.trim().toLowerCase();
  if (typeof value === 'string') return ofText(value, address);
  if (Array.isArray(value)) return ofList(value, address);
  if (typeof value !== 'object' || value === null) return { value, found: 0 };
  return isOf(value, address) ? { value: withoutTexts(value), found: 1 } : ofObject(value, address);
}

function ofText(text: string, address: string): WithoutPerson {
  const lower = text.toLowerCase();
  const plain = placesOf(lower, address);
  if (plain.length === 0) return placesOf(decoded(lower), address).length === 0 ? { value: text, found: 0 } : ALL;
  if (lower.trim() === address) return { value: null, found: 1 };
  // The lower-case text may have another length, and then its positions do not match.
  if (lower.length !== text.length) return ALL;
  let [erased, from] = ['', 0];
  for (const at of plain) {
    erased += text.slice(from, at) + ERASED;
    from = at + address.length;
  }
  return { value: erased + text.slice(from), found: plain.length };
}

const ALL: WithoutPerson = { value: ERASED, found: 1 };

/**
 * The positions at which a lower-case text contains an e-mail address. An occurrence inside a longer address, for example after `x-`, does
 * not count.
 */
function placesOf(lower: string, address: string): readonly number[] {
  const places: number[] = [];
  for (let at = lower.indexOf(address); at >= 0; at = lower.indexOf(address, at + 1)) {
    const isEnd = /[\p{L}\p{N}][._+-]?$/u.test(lower.slice(Math.max(0, at - 3), at));
    const isBeginning = /^[.-]?[\p{L}\p{N}]/u.test(lower.slice(at + address.length, at + address.length + 3));
    if (!isEnd && !isBeginning) places.push(at);
  }
  return places;
}

/** Decodes the percent-encoded ASCII characters of a text, such as a part of a URL. */
function decoded(text: string): string {
  return text.replaceAll(/%([0-7][0-9a-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)).toLowerCase(),
  );
}

function ofList(list: readonly unknown[], address: string): WithoutPerson {
  const others = list.filter((one) => !isOf(one, address));
  const each = others.map((one) => withoutPerson(one, address));
  const found = each.reduce((sum, one) => sum + one.found, list.length - others.length);
  return { value: each.map((one) => one.value), found };
}

function ofObject(value: object, address: string): WithoutPerson {
  const members = Object.entries(value);
  const others = members.filter(([name]) => placesOf(name.toLowerCase(), address).length === 0);
  const each = others.map(([name, one]) => [name, withoutPerson(one, address)] as const);
  return {
    value: Object.fromEntries(each.map(([name, one]) => [name, one.value])),
    found: each.reduce((sum, [, one]) => sum + one.found, members.length - others.length),
  };
}

/**
 * Whether an object describes the person with this e-mail address: one of its e-mail fields contains the address, and it has a field for a
 * first or last name.
 */
function isOf(value: unknown, address: string): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(
      ([name, one]) => /email/i.test(name) && typeof one === 'string' && one.trim().toLowerCase() === address,
    ) &&
    Object.keys(value).some((name) => /(first|last).?name/i.test(name))
  );
}

function withoutTexts(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? null : one]));
}
