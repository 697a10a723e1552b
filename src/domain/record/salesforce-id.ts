const SUFFIX_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

/**
 * Converts a Salesforce id to its 18-character form, so that a record never has two ids; null if the text is no id. The last three
 * characters encode the letter case of the first fifteen. They are added to a 15-character id. In an 18-character id, they serve to restore
 * the letter case if another tool has changed it.
 */
export function toId18(text: string): string | null {
  if (/^[A-Za-z0-9]{15}$/.test(text)) return text + suffixOf(text);
  if (!/^[A-Za-z0-9]{15}[A-Za-z0-5]{3}$/.test(text)) return null;
  const [id, suffix] = [text.slice(0, 15), text.slice(15).toUpperCase()];
  const written = isFolded(id) ? unfolded(id, suffix) : id;
  return suffixOf(written) === suffix ? written + suffix : null;
}

/** The first three characters of the ids of opportunities and of leads. */
const OPPORTUNITY = '006';
const LEAD = '00Q';

/** The 18-character form of an opportunity's id; null if the text is no opportunity id. */
export function toOpportunityId(text: string): string | null {
  return text.startsWith(OPPORTUNITY) ? toId18(text) : null;
}

export function isLeadId(id: string | null): id is string {
  return id?.startsWith(LEAD) ?? false;
}

/** The 18-character form of an opportunity's or a lead's id; null if the text is neither. */
export function toDealId(text: string): string | null {
  return text.startsWith(OPPORTUNITY) || text.startsWith(LEAD) ? toId18(text) : null;
}

/** Whether both ids, with 15 or 18 characters, name the same record. */
export function sameId(one: string, other: string): boolean {
  return toId18(one) !== null && toId18(other) !== null && one.slice(0, 15) === other.slice(0, 15);
}

function suffixOf(id: string): string {
  return [0, 5, 10].map((start) => suffixCharacter(id.slice(start, start + 5))).join('');
}

function suffixCharacter(five: string): string {
  const bits = [...five].reduce((sum, letter, index) => sum + (/[A-Z]/.test(letter) ? 1 << index : 0), 0);
  return SUFFIX_ALPHABET.charAt(bits);
}

function isFolded(id: string): boolean {
  return id === id.toLowerCase() || id === id.toUpperCase();
}

function unfolded(id: string, suffix: string): string {
  const letters = [...id].map((letter, index) => {
    const bits = SUFFIX_ALPHABET.indexOf(suffix.charAt(Math.floor(index / 5)));
    return bits & (1 << (index % 5)) ? letter.toUpperCase() : letter.toLowerCase();
  });
  return letters.join('');
}
