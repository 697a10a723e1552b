import LOCALE from '@salesforce/i18n/locale';

/**
 * Rows of the table of both sides. `Field_States__c` and `Field_Values__c` of the sync row are JSON that Lockstep writes; the values of
 * Salesforce come from the user's own record, so a field that the user may not see shows neither side.
 */

const SIDES = { crm: 'Salesforce', vendor: 'The vendor' };

/** Who wins a later conflict, by direction and rule of the mapping. */
const BY_DIRECTION = {
  'to-vendor': 'Salesforce owns it; changes at the vendor do not come back',
  'to-crm': 'The vendor owns it; changes in Salesforce do not go there',
  'first-sync': 'Synced once, when the two were linked',
};
const BY_RULE = {
  newest: 'The newest change wins',
  crm: 'Salesforce wins',
  vendor: 'The vendor wins',
  manual: 'You decide if both sides change it',
};

/** How a row looks: badge, and the order in which rows that differ stand. */
const KINDS = {
  conflict: { badge: 'Conflict', order: 0 },
  waits: { badge: 'Waits', order: 1 },
  overruled: { badge: 'Decided', order: 2 },
  filled: { badge: 'Filled in', order: 3 },
  same: { badge: '', order: 4 },
};

export const HIDDEN = 'You may not see this value';
const EMPTY = 'Empty';

/** The JSON of a field of the sync row; `fallback` for an empty or cut-off text. */
function parsed(text, fallback) {
  try {
    return text ? JSON.parse(text) : fallback;
  } catch {
    return fallback;
  }
}

/** The API names to read from the opportunity or lead, as `getRecord` takes them: plain fields and paths across a lookup, no objects. */
export function fieldsOfDeal(states, object) {
  return parsed(states, [])
    .filter(isOfDeal)
    .map(({ crm }) => `${object}.${crm}`);
}

/** Names of objects have no field of their own on the deal: the table takes what Lockstep reports about them. */
const OBJECTS = new Set(['Account', 'Contact', 'OpportunityLineItem', 'User']);

function isOfDeal({ crm }) {
  return !OBJECTS.has(crm);
}

/** The value of a path such as `Campaign.Code__c`; undefined if the user may not see it. */
function ofRecord(record, path) {
  const [first, ...rest] = path.split('.');
  const field = record?.fields?.[first];
  if (field === undefined) return undefined;
  if (rest.length > 0) return field.value === null ? null : ofRecord(field.value, rest.join('.'));
  return field.displayValue ?? field.value;
}

/**
 * All rows, those that differ first. `record`: the opportunity or lead as the user may see it, null where only reported values are shown.
 * `seesValues`: whether the user may read the values that Lockstep reports.
 */
export function rowsOf({ states, values, record, seesValues }) {
  const reported = parsed(values, {});
  return parsed(states, [])
    .map((state) => rowOf(state, reported[state.field] ?? {}, { record, seesValues }))
    .sort((one, other) => KINDS[one.is].order - KINDS[other.is].order);
}

function rowOf(state, reported, { record, seesValues }) {
  const is = KINDS[state.is] === undefined ? 'waits' : state.is;
  const live = record !== null && isOfDeal(state);
  const own = live ? ofRecord(record, state.crm) : reported.crm;
  const isHidden = live && own === undefined;
  return {
    key: state.field,
    is,
    isSame: is === 'same',
    label: capitalised(state.name),
    badge: KINDS[is].badge,
    badgeClass: `badge badge_${is}`,
    ...cellsOf(state, {
      own,
      reported,
      hidesOwn: isHidden || (!live && !seesValues),
      hidesReported: isHidden || !seesValues,
    }),
    winner: winnerOf(state, is),
    why: whyOf(state, is),
  };
}

/** Both cells. Of an overruled field, the losing side shows the value that was not kept. */
function cellsOf({ is, wins }, { own, reported, hidesOwn, hidesReported }) {
  const isOverruled = is === 'overruled';
  if (is === 'same') return { crm: cell(own, hidesOwn), vendor: cell(own, hidesOwn) };
  return {
    crm: isOverruled && wins === 'vendor' ? cell(reported.crm, hidesReported, true) : cell(own, hidesOwn),
    vendor: cell(reported.vendor, hidesReported, isOverruled && wins === 'crm'),
  };
}

function cell(value, isHidden, isGone = false) {
  const isEmpty = value === undefined || value === null || value === '';
  const text = isHidden ? HIDDEN : isEmpty ? EMPTY : shown(String(value));
  const isNone = isHidden || isEmpty;
  return {
    text,
    was: isGone && !isHidden ? 'was' : '',
    valueClass: `value${isNone ? ' value_none' : isGone ? ' value_gone' : ''}`,
  };
}

/** A date as the user's locale writes it, as Salesforce displays its own; other text unchanged. */
function shown(text) {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  return new Intl.DateTimeFormat(LOCALE, { timeZone: 'UTC' }).format(new Date(text));
}

function winnerOf({ wins, goes, rule }, is) {
  if (is === 'conflict') return 'You decide';
  if (is === 'waits') return 'Nobody yet';
  if (is === 'filled') return 'The vendor, until you fill it in';
  if (is === 'overruled') return wins === 'both' ? 'Each line for its own' : `${SIDES[wins] ?? 'One side'} won`;
  return BY_DIRECTION[goes] ?? BY_RULE[rule] ?? '';
}

function whyOf(state, is) {
  if (is === 'conflict') return 'Both sides changed it, and its rule leaves the choice to you.';
  if (is === 'waits') return state.why ?? '';
  if (is === 'filled') return 'It is empty in Salesforce, so the vendor put its default.';
  if (is === 'overruled') return `Both sides changed it. Rule: ${state.why}.${savedAt(state)}`;
  return '';
}

function savedAt({ crmSavedAt, vendorSavedAt }) {
  const times = [
    ['Salesforce', crmSavedAt],
    ['the vendor', vendorSavedAt],
  ].flatMap(([side, at]) => (at ? [`${side} ${at.slice(0, 16).replace('T', ' ')} UTC`] : []));
  return times.length === 0 ? '' : ` Saved: ${times.join(', ')}.`;
}

function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
