import { sameValue } from '../mapping/index.ts';
import { merge } from '../merge/merge.ts';
import type { MergeInput } from '../merge/merge-types.ts';
import { EMPTY_BASE } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import { type FieldDecision, type FieldVerdict, PICKED } from '../record/field-decision.ts';
import { directionOf, type MappingConfig, ruleOf } from '../record/mapping-config.ts';

/**
 * Why a past decision cannot be replayed under another mapping that an operator wants to try. `no-times`: the rule `newest` needs the times
 * at which the sides were saved, and the journal (log of decisions) does not store these. `mapped-otherwise`: the other mapping translates
 * this field differently. The journal stores only translated values, which cannot be translated again. `other-inputs`: the decision also
 * depended on something that the journal does not store, such as pairs of lines, a vendor default or a refusal.
 */
export type Unknown = 'no-times' | 'mapped-otherwise' | 'other-inputs';

export const UNKNOWN_MEANINGS: Readonly<Record<Unknown, string>> = {
  'no-times': 'the journal does not keep when each side was saved, and the rule newest needs it',
  'mapped-otherwise': 'the mapping would translate the field otherwise, and the journal keeps only translated values',
  'other-inputs': 'the decision also rested on something that the journal does not keep',
};

/** The result of a decision about a field: a verdict, and the rule that led to it. */
export type Ending = { readonly verdict: FieldVerdict; readonly rule: string };

export type Replayed =
  | { readonly kind: 'same' }
  | { readonly kind: 'otherwise'; readonly would: Ending }
  | { readonly kind: 'unknown'; readonly why: Unknown };

/**
 * Two mappings of a tenant. `today`: the mapping in use. `other`: the mapping that an operator wants to try, under which past decisions are
 * replayed.
 */
export type Mappings = { readonly today: MappingConfig; readonly other: MappingConfig };

/**
 * Computes the result of one past decision under another mapping (`other`), from the values in the journal (log of decisions). The journal
 * does not store when each side was saved. So the mapping in use first shows which orders of the two saves explain the result in the
 * journal. The decision is then computed under `other` for each of these orders. `unknown` if no order explains the result, because the
 * decision had an input that the journal lacks. Also `unknown` if the orders lead to different results. Pure.
 */
export function replay(decision: FieldDecision, { today, other }: Mappings): Replayed {
  const { field } = decision;
  if (wayOf(field, today) !== wayOf(field, other)) return { kind: 'unknown', why: 'mapped-otherwise' };
  if (field === 'offerLines') return replayLines(decision, other);
  const possible = possibleTimes(decision, today);
  if (possible.length === 0) return { kind: 'unknown', why: 'other-inputs' };
  const endings = possible.map((times) => endingUnder(decision, other, times));
  const [would, ...rest] = endings as [Ending, ...Ending[]];
  if (rest.some(({ verdict }) => verdict !== would.verdict)) return { kind: 'unknown', why: 'no-times' };
  return would.verdict === decision.verdict ? { kind: 'same' } : { kind: 'otherwise', would };
}

/** The fields that the two mappings treat differently. A decision about any other field has the same result under both. */
export function differingFields({ today, other }: Mappings, fields: readonly FieldName[]): readonly FieldName[] {
  const isOtherwise = (field: FieldName): boolean =>
    ruleOf(field, today) !== ruleOf(field, other) ||
    directionOf(field, today) !== directionOf(field, other) ||
    wayOf(field, today) !== wayOf(field, other) ||
    (ruleOf(field, other) === 'newest' && today.prefer !== other.prefer) ||
    (field === 'status' && today.closeFromVendor !== other.closeFromVendor);
  return fields.filter(isOtherwise);
}

/** How a mapping translates a field, as a text that can be compared. */
function wayOf(field: FieldName, mapping: MappingConfig): string {
  const { crm, default: usual, transform, values } = mapping.fields?.[field] ?? {};
  const own = [crm, usual, transform, values, mapping.currency, mapping.zone];
  const ofField: Partial<Record<FieldName, unknown>> = {
    status: [mapping.stages, mapping.values.status],
    forecastCategory: mapping.values.forecastCategory,
    reasonWon: mapping.values.reasonWon,
    reasonLost: mapping.values.reasonLost,
    offerLines: [mapping.values.revenueType, mapping.offers],
  };
  return JSON.stringify([own, ofField[field] ?? null]);
}

type Times = Pick<MergeInput, 'crmChange' | 'vendorChange'>;

const [FIRST, SECOND, THIRD] = ['2000-01-01T00:00:00.000Z', '2000-01-02T00:00:00.000Z', '2000-01-03T00:00:00.000Z'];
const timesOf = (crm: readonly [string, string], vendor: readonly [string, string]): Times => ({
  crmChange: { after: crm[0], until: crm[1] },
  vendorChange: { after: vendor[0], until: vendor[1] },
});

/**
 * Examples for each possible order of the two sides' saves: one side clearly after the other, or both within intervals that overlap. A
 * replay (computing a past decision again) needs them, because the journal (log of decisions) does not store when each side was saved. The
 * times are invented, because only their order matters.
 */
const ORDERS: readonly Times[] = [
  timesOf([SECOND, THIRD], [FIRST, SECOND]),
  timesOf([FIRST, SECOND], [SECOND, THIRD]),
  timesOf([FIRST, THIRD], [FIRST, SECOND]),
  timesOf([FIRST, SECOND], [FIRST, THIRD]),
];

const DIRECTIONS = ['both', 'to-vendor', 'to-crm', 'first-sync'] as const;
const RULES = ['crm', 'vendor', 'manual', 'newest'] as const;
const PREFERENCES = ['later', 'crm', 'vendor'] as const;

/**
 * The orders of the two sides' saves (`ORDERS`) that explain a past decision: with them, the mapping in use leads to the result in the
 * journal (log of decisions). If no order does, another rule or direction may have been configured at the time of the decision. All
 * directions and rules are then tried one after the other, and the orders for the first that explains the result are returned. Empty if
 * nothing explains it.
 */
function possibleTimes(decision: FieldDecision, today: MappingConfig): readonly Times[] {
  const under = (mapping: MappingConfig) =>
    ORDERS.filter((times) => isSo(decision, endingUnder(decision, mapping, times)));
  const now = under(today);
  if (now.length > 0) return now;
  const { field } = decision;
  for (const direction of DIRECTIONS)
    for (const rule of RULES)
      for (const prefer of rule === 'newest' ? PREFERENCES : [today.prefer]) {
        const rules = { ...today.rules, [field]: rule };
        const then = under({ ...today, rules, prefer, directions: { ...today.directions, [field]: direction } });
        if (then.length > 0) return then;
      }
  return [];
}

/**
 * Names of rules that the journal (log of decisions) and a replay write differently. A replay computes a past decision again from the
 * values in the journal. Key: the name in the journal. Value: the name from the replay. Both are needed to check whether a replay leads to
 * the rule in the journal. The replay's name is less exact, because the replay does not know the field history or whether the vendor was
 * read.
 */
const TEXTS: Readonly<Record<string, string>> = {
  'newest: by field history': 'newest',
  'changed in the CRM, vendor value unobserved': 'changed in the CRM',
};

function isSo({ verdict, rule }: FieldDecision, ending: Ending): boolean {
  return ending.verdict === verdict && ending.rule === (TEXTS[rule] ?? rule);
}

/** The verdict of a replayed decision under a mapping, and the rule that led to it. */
function endingUnder(decision: FieldDecision, config: MappingConfig, times: Times): Ending {
  const { field, base, crm, vendor, rule } = decision;
  const isKnown = base.crm !== undefined || base.vendor !== undefined;
  const held = rule === PICKED ? { held: { [field]: { crm, vendor } } } : {};
  const { decisions } = merge({
    base: isKnown ? { ...EMPTY_BASE, crm: only(field, base.crm), vendor: only(field, base.vendor), ...held } : null,
    crm: only(field, crm),
    vendor: only(field, vendor),
    untranslatable: new Set(),
    pick: rule === PICKED ? winnerOf(decision) : null,
    ...times,
    config,
  });
  const found = decisions.find((one) => one.field === field);
  return found === undefined
    ? { verdict: 'unchanged', rule: 'no change' }
    : { verdict: found.verdict, rule: found.rule };
}

function only(field: FieldName, value: unknown): Observed {
  return value === undefined ? {} : ({ [field]: value } as Observed);
}

function winnerOf({ verdict }: FieldDecision): 'crm' | 'vendor' | null {
  return verdict === 'conflict-crm' ? 'crm' : verdict === 'conflict-vendor' ? 'vendor' : null;
}

/**
 * Computes the result of a past decision about lines under another mapping. Lines are merged one by one, so the mapping matters only for
 * lines that both sides changed.
 */
function replayLines(decision: FieldDecision, other: MappingConfig): Replayed {
  const { lines, verdict, rule } = decision;
  if (verdict !== 'conflict-held' && lines === undefined) return { kind: 'same' };
  const next = ruleOf('offerLines', other);
  const isByTime = rule === 'newest' || rule.startsWith('newest: by ');
  if (next === 'newest') return isByTime ? { kind: 'same' } : { kind: 'unknown', why: 'no-times' };
  if (next === 'manual')
    return verdict === 'conflict-held' || rule === PICKED
      ? { kind: 'same' }
      : { kind: 'otherwise', would: { verdict: 'conflict-held', rule: 'manual' } };
  if (lines?.every(({ winner }) => winner === next) === true) return { kind: 'same' };
  return { kind: 'otherwise', would: { verdict: 'merged', rule: next } };
}

/**
 * Whether the later of two decisions about one field only repeats the earlier one, because verdict and values are equal. The journal (log
 * of decisions) normally contains such repetitions. A replay of the journal counts only the first decision.
 */
export function repeats(earlier: FieldDecision, later: FieldDecision, config: MappingConfig): boolean {
  const { field } = later;
  return (
    earlier.verdict === later.verdict &&
    isSame(field, earlier.crm, later.crm, config) &&
    isSame(field, earlier.vendor, later.vendor, config) &&
    isSame(field, earlier.base.crm, later.base.crm, config)
  );
}

function isSame(field: FieldName, one: unknown, other: unknown, config: MappingConfig): boolean {
  return (one === undefined && other === undefined) || sameValue(field, one, other, config);
}
