import type { Before } from '../lines/merge-line.ts';
import { mergeLines } from '../lines/merge-lines.ts';
import { lensOf, sameValue, unsetOf } from '../mapping/index.ts';
import { EMPTY_BASE } from '../record/base.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import {
  type FieldDecision,
  type FieldVerdict,
  LEDGER_RESTORED,
  OPEN_VERDICTS,
  PICKED,
  TO_VENDOR_ONLY,
} from '../record/field-decision.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import type { Issue } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { directionOf, type MappingConfig, ruleOf } from '../record/mapping-config.ts';
import type { PickedSide } from '../record/pick.ts';
import { isBefore } from '../record/versions.ts';
import { documentedDefault } from '../values/defaults.ts';
import { isSystemForecast } from '../values/forecast.ts';
import { isRevenueCode, shownRevenueCodes } from '../values/revenue-type.ts';
import { isClosing } from '../values/status.ts';
import { listOf } from '../values/text.ts';
import { currenciesDiffer } from './currencies.ts';
import { awaitsDefault } from './filled-in.ts';
import type { Merge, MergeInput, Outcome, Sides } from './merge-types.ts';
import { crmChangeOf, laterRecord, newerSide, RULES_WITHOUT_TIME } from './newest.ts';
import { undoStep } from './undo-step.ts';

/**
 * Three-way merge of all fields: base (last agreed values), CRM and vendor. A value that differs from the last agreed value of its side is
 * an edit. If a side does not show a field, this is no edit. Pure.
 */
export function merge(input: MergeInput): Merge {
  const decisions: FieldDecision[] = [];
  const toVendor: Record<string, unknown> = {};
  const toCrm: Record<string, unknown> = {};
  const overDefaults: FieldName[] = [];
  const issues: Issue[] = currenciesDiffer(input) ? [ISSUES.currenciesDiffer()] : [];
  for (const field of FIELD_NAMES) {
    const sides = sidesOf(field, input);
    const outcome = guarded(sides, mergeField(sides, input), input);
    if (outcome.verdict === 'conflict-held') issues.push(outcome.issue ?? ISSUES.conflict(field));
    if (outcome.verdict !== 'unchanged') {
      const { base, crm, vendor } = sides;
      const { verdict, rule, lines } = outcome;
      decisions.push({ field, verdict, rule, base, crm, vendor, ...(lines === undefined ? {} : { lines }) });
    }
    if (outcome.toVendor !== undefined) toVendor[field] = outcome.toVendor;
    if (outcome.toCrm !== undefined) toCrm[field] = outcome.toCrm;
    if (outcome.isOverDefault) overDefaults.push(field);
  }
  const held = decisions.filter((item) => item.verdict === 'conflict-held').map((item) => item.field);
  return { decisions, toVendor, toCrm, held, issues, overDefaults };
}

function sidesOf(field: FieldName, input: MergeInput): Sides {
  const crm = input.crm[field];
  const vendor = input.vendor[field];
  const first = input.base === null || (crm !== undefined && input.base.crm[field] === undefined);
  const baseCrm = input.base?.crm[field] ?? unsetOf(field);
  const baseVendor = (first ? null : input.base.vendor[field]) ?? unsetOf(field);
  const differs = (now: unknown, before: unknown): boolean =>
    now !== undefined && !sameValue(field, now, before, input.config);
  return {
    field,
    direction: directionOf(field, input.config),
    base: { crm: input.base?.crm[field], vendor: input.base?.vendor[field] },
    crm,
    vendor,
    crmChanged: differs(crm, baseCrm),
    vendorChanged: differs(vendor, baseVendor),
    first,
  };
}

/**
 * Replaces the merge's outcome for a field if the merge alone must not decide. If a person must decide whether and how the deal is closed,
 * the status gets the value of the side that the person picked. Without a pick, the status waits. If the two sides have different
 * currencies, Lockstep withholds (does not send) amounts.
 */
function guarded(sides: Sides, outcome: Outcome, input: MergeInput): Outcome {
  const issue = sides.field === 'status' ? statusIssue(sides, outcome, input) : null;
  if (issue !== null) return statusAsPicked(sides, input, issue);
  if (isPickedAnew(sides, outcome, input)) return statusAsPicked(sides, input, ISSUES.closedAtVendor());
  const isMoney = sides.field === 'offerLines' || sides.field === 'currency';
  if (isMoney && OF_AMOUNTS.has(outcome.verdict) && currenciesDiffer(input))
    return { verdict: 'withheld', rule: 'the currencies differ' };
  return outcome;
}

/**
 * The issue that asks a person whether and how the deal is closed; null if no person must decide. The issue arises in three cases: the
 * vendor closed a deal that Lockstep may not close in the CRM, the CRM's value would reopen the deal, or both sides closed the deal with
 * different outcomes. It stays until the CRM closes the deal or the vendor's status changes.
 */
function statusIssue(sides: Sides, outcome: Outcome, input: MergeInput): Issue | null {
  const isOpen = outcome.toVendor !== undefined || outcome.toCrm !== undefined;
  if (isOpen && isClosedOtherwise(sides, outcome, input)) return ISSUES.closedOtherwise();
  const mayFollow = input.config.closeFromVendor && outcome.toVendor === undefined;
  const isUndecided = (isOpen && !mayFollow) || vendorIsAsShown(sides, input);
  return isUndecided && reopens(sides, input.config) ? ISSUES.closedAtVendor() : null;
}

/**
 * Whether both sides closed the deal with different outcomes (won and lost), and Lockstep may not copy the vendor's outcome to the CRM.
 * Before the conflict was reported, true only if the merge would copy the vendor's status. After the report, also true while both sides
 * show the reported values. So the conflict stays open until a side changes.
 */
function isClosedOtherwise(sides: Sides, { toCrm }: Outcome, input: MergeInput): boolean {
  const { config } = input;
  const isClosed = (status: unknown): boolean => isClosing(String(status), config);
  const isClosedOnBoth = isClosed(sides.vendor ?? sides.base.vendor) && isClosed(sides.crm);
  return isClosedOnBoth && !config.closeFromVendor && (toCrm !== undefined || isAsShown(sides, input));
}

/**
 * Whether a person picked a side in a reported conflict about the status, and the vendor has changed its status since the report. The pick
 * may have been made before or after that change. A pick names a side and not a value, so it also decides about the present status.
 */
function isPickedAnew(sides: Sides, { toCrm, toVendor: sent }: Outcome, input: MergeInput): boolean {
  if (sides.field !== 'status' || (toCrm === undefined && sent === undefined)) return false;
  return input.base?.held?.status !== undefined && pickFor(sides, input) !== null;
}

function statusAsPicked(sides: Sides, input: MergeInput, issue: Issue): Outcome {
  switch (pickFor(sides, input)) {
    case 'crm':
      return toVendor('conflict-crm', PICKED, sides, input);
    case 'vendor':
      return { verdict: 'conflict-vendor', rule: PICKED, toCrm: sides.vendor ?? sides.base.vendor };
    default:
      return { verdict: 'conflict-held', rule: 'closed at the vendor', issue };
  }
}

/** Whether a conflict in the field waits for a person, and both sides still have the values that the report of the conflict showed. */
function isAsShown(sides: Sides, input: MergeInput): boolean {
  const { field, crm } = sides;
  return vendorIsAsShown(sides, input) && sameValue(field, crm, input.base?.held?.[field]?.crm, input.config);
}

/** Whether a conflict in the field waits for a person, and the vendor still has the value that the report of the conflict showed. */
function vendorIsAsShown({ field, vendor, base: agreed }: Sides, { base, config }: MergeInput): boolean {
  const openConflict = base?.held?.[field];
  return openConflict !== undefined && sameValue(field, vendor ?? agreed.vendor, openConflict.vendor, config);
}

/**
 * The side that a person picked for the field's conflict; null if there is no pick. A pick for this field has precedence over a pick for
 * all fields. For a field on which the sides never agreed, the side that an operator chose when linking the pair counts.
 */
function pickFor({ field, first }: Sides, { base, pick, firstPick }: MergeInput): PickedSide | null {
  const openConflict = base?.held?.[field];
  if (openConflict !== undefined && (openConflict.picked ?? pick) !== null) return openConflict.picked ?? pick;
  return first ? (firstPick ?? null) : null;
}

/**
 * Verdicts about amounts that become `withheld` (not sent) while the two sides have different currencies. `same` is among them, because
 * equal numbers in two currencies are different amounts.
 */
const OF_AMOUNTS: ReadonlySet<FieldVerdict> = new Set([...OPEN_VERDICTS, 'same']);

/** Whether the CRM's status would reopen a deal that the vendor closed and that was never closed in the CRM. */
function reopens({ crm, vendor, base, first }: Sides, config: MappingConfig): boolean {
  const isClosed = (status: unknown): boolean => isClosing(String(status), config);
  const followed = !first && isClosed(base.crm);
  return isClosed(vendor ?? base.vendor) && crm !== undefined && !isClosed(crm) && !followed;
}

function mergeField(sides: Sides, input: MergeInput): Outcome {
  const back = input.base?.goingBack?.[sides.field];
  const step = back === undefined ? null : undoStep(sides, back, input.config);
  if (step === 'crm-edited') return crmEdit(sides, input);
  if (step === 'vendor-edited') return vendorEdit(sides);
  return step ?? mergeUnordered(sides, input);
}

/** Three-way merge of one field, for the case that no operator's undo decides about the field. */
function mergeUnordered(sides: Sides, input: MergeInput): Outcome {
  const { field, crm, vendor, crmChanged, vendorChanged } = sides;
  const spec = FIELDS[field];
  if (!crmChanged && !vendorChanged) return { verdict: 'unchanged', rule: 'no change' };
  if (vendorChanged && isDefault(sides, input)) {
    // A default that the vendor filled in never conflicts with a value that a user entered in the CRM.
    if (crmChanged) return { ...crmEdit(sides, input), isOverDefault: true };
    if (!isSet(crm ?? sides.base.crm)) return { verdict: 'defaulted', rule: 'vendor default' };
  }
  if (sameValue(field, crm, vendor, input.config)) return { verdict: 'same', rule: 'both sides agree' };
  if (isAncestorUnknown(sides, input)) return betweenRestored(sides, input);
  if (sides.direction === 'first-sync' && !sides.first) return { verdict: 'ignored', rule: 'first sync only' };
  if (input.untranslatable.has(field) && vendorChanged) return { verdict: 'withheld', rule: 'no translation' };
  if (spec.kind === 'lines' && sides.direction === 'both') return mergeLineField(sides, input);
  if (crmChanged && !vendorChanged) return crmEdit(sides, input);
  if (vendorChanged && !crmChanged) return vendorEdit(sides);
  return bothEdited(sides, input);
}

/**
 * True if a restore of the ledger (Lockstep's database) lost the field's last agreed value, so that the merge cannot know which side's
 * value is the edit.
 */
function isAncestorUnknown({ field, direction, crm, vendor }: Sides, { base }: MergeInput): boolean {
  const isShown = crm !== undefined && vendor !== undefined;
  return isShown && direction === 'both' && base?.ancestorUnknown?.includes(field) === true;
}

function betweenRestored(sides: Sides, input: MergeInput): Outcome {
  if (FIELDS[sides.field].kind !== 'lines') return bothEdited(sides, input);
  const { side, rule } = conflictWinner(sides, input);
  return side === null ? { verdict: 'conflict-held', rule } : mergeLineField(sides, input);
}

function crmEdit(sides: Sides, input: MergeInput): Outcome {
  if (sides.direction === 'to-crm') return { verdict: 'ignored', rule: 'to the CRM only' };
  return toVendor('to-vendor', 'changed in the CRM', sides, input);
}

/**
 * The outcome that sends the CRM's value to the vendor, or `same` if the vendor has the value already. In lists and objects, entries that
 * vendor users added are sent too, so that they are not lost.
 */
function toVendor(verdict: FieldVerdict, rule: string, sides: Sides, { config }: MergeInput): Outcome {
  const { field, crm, vendor } = sides;
  const unset = unsetOf(field);
  const agreed = sides.first ? unset : (sides.base.crm ?? unset);
  const shown = vendor ?? sides.base.vendor ?? unset;
  const value = lensOf(field).forVendor?.(crm, { agreed, vendor: shown }) ?? crm;
  if (sameValue(field, value, vendor, config)) return { verdict: 'same', rule: 'the vendor has it already' };
  return { verdict, rule, toVendor: value };
}

function vendorEdit(sides: Sides): Outcome {
  const spec = FIELDS[sides.field];
  if (sides.direction === 'to-vendor') return { verdict: 'ignored', rule: TO_VENDOR_ONLY };
  if (spec.fillsCrm && isSet(sides.crm ?? sides.base.crm))
    return { verdict: 'ignored', rule: 'fills empty CRM fields only' };
  return { verdict: 'to-crm', rule: 'changed at the vendor', toCrm: sides.vendor };
}

function bothEdited(sides: Sides, input: MergeInput): Outcome {
  const spec = FIELDS[sides.field];
  if (sides.direction === 'to-vendor') return toVendor('to-vendor', 'to the vendor only', sides, input);
  if (sides.direction === 'to-crm') return { verdict: 'to-crm', rule: 'to the CRM only', toCrm: sides.vendor };
  if (spec.fillsCrm) return toVendor('conflict-crm', 'fills empty CRM fields only', sides, input);
  if (isOfSystem(sides, input))
    return { verdict: 'conflict-vendor', rule: 'set by the system of the vendor', toCrm: sides.vendor };
  const winner = conflictWinner(sides, input);
  if (winner.side === null) return { verdict: 'conflict-held', rule: winner.rule };
  return winner.side === 'crm'
    ? toVendor('conflict-crm', winner.rule, sides, input)
    : { verdict: 'conflict-vendor', rule: winner.rule, toCrm: sides.vendor };
}

function conflictWinner(
  sides: Sides,
  input: MergeInput,
): { readonly side: 'crm' | 'vendor' | null; readonly rule: string } {
  if (sides.first && input.firstPick !== undefined) return { side: input.firstPick, rule: PICKED };
  if (isAncestorUnknown(sides, input)) return winnerOfRestored(sides, input);
  const rule = ruleOf(sides.field, input.config);
  if (rule === 'manual') {
    const picked = pickFor(sides, input);
    return picked === null ? { side: changedAgain(sides, input), rule } : { side: picked, rule: PICKED };
  }
  if (rule !== 'newest') return { side: rule, rule };
  const crmChange = crmChangeOf(sides.field, input);
  const newer = newerSide(crmChange, input.vendorChange);
  const { prefer } = input.config;
  if (newer === null && prefer !== 'later') return { side: prefer, rule: RULES_WITHOUT_TIME[prefer] };
  const side = newer ?? laterRecord(crmChange, input.vendorChange);
  if (crmChange.isByField) return { side, rule: 'newest: by field history' };
  return { side, rule: newer === null ? RULES_WITHOUT_TIME.later : rule };
}

/** The side that changed the field after the report of its conflict; null if neither side did, or both did. */
function changedAgain({ field, crm, vendor }: Sides, { base, config }: MergeInput): 'crm' | 'vendor' | null {
  const openConflict = base?.held?.[field];
  if (openConflict === undefined) return null;
  const [inCrm, atVendor] = [
    !sameValue(field, crm, openConflict.crm, config),
    !sameValue(field, vendor, openConflict.vendor, config),
  ];
  return inCrm === atVendor ? null : inCrm ? 'crm' : 'vendor';
}

/**
 * The side that wins in a field whose last agreed value was lost when the ledger (Lockstep's database) was restored: the side that a person
 * picked, else the side that certainly changed later. Null if the conflict must wait. Conflict rules do not apply, because without the
 * agreed value they could let the older value win.
 */
function winnerOfRestored(
  sides: Sides,
  input: MergeInput,
): { readonly side: 'crm' | 'vendor' | null; readonly rule: string } {
  const picked = pickFor(sides, input);
  if (picked !== null) return { side: picked, rule: PICKED };
  const newer = newerSide(crmChangeOf(sides.field, input), input.vendorChange);
  // A reported conflict stays, because Lockstep's own updates change the vendor's version too.
  const side = isAsShown(sides, input) ? null : (changedAgain(sides, input) ?? newer);
  return { side, rule: LEDGER_RESTORED };
}

function mergeLineField(sides: Sides, input: MergeInput): Outcome {
  if (sides.vendor === undefined) return crmEdit(sides, input);
  if (sides.crm === undefined) return vendorEdit(sides);
  const crm = sides.crm as readonly OfferLine[];
  const vendor = sides.vendor as readonly OfferLine[];
  const winner = conflictWinner(sides, input);
  const merged = mergeLines(
    {
      baseCrm: listOf(sides.base.crm) as readonly OfferLine[],
      baseVendor: listOf(sides.base.vendor) as readonly OfferLine[],
      basePairs: (input.base ?? EMPTY_BASE).linePairs,
      partlyApplied: sides.first ? [] : partlyAppliedOf(input),
      crm,
      vendor,
      hasCode: (type) => isRevenueCode(type, input.config, shownRevenueCodes(vendor)),
    },
    winner.side ?? 'crm',
  );
  const { forCrm, forVendor, conflicts } = merged;
  if (conflicts.length > 0 && winner.side === null) return { verdict: 'conflict-held', rule: 'manual' };
  const vendorNeeds = !sameValue('offerLines', forVendor, vendor, input.config);
  const crmNeeds = !sameValue('offerLines', forCrm, crm, input.config);
  const decided = conflicts.length > 0 ? { rule: winner.rule, lines: conflicts } : ({ rule: 'by line' } as const);
  if (vendorNeeds && crmNeeds) return { ...decided, verdict: 'merged', toVendor: forVendor, toCrm: forCrm };
  if (vendorNeeds) return { ...decided, verdict: 'to-vendor', toVendor: forVendor };
  if (crmNeeds) return { ...decided, verdict: 'to-crm', toCrm: forCrm };
  return { ...decided, verdict: 'same' };
}

/**
 * Lines of an earlier merge that the vendor has applied and the CRM has not. Empty if the vendor's record was read before the vendor
 * applied them, because it does not show them.
 */
function partlyAppliedOf({ base, vendorChange: { until } }: MergeInput): readonly Before[] {
  const { basedOnVersion = null, lines = [] } = base?.partlyAppliedLines ?? {};
  return isBefore(basedOnVersion, until) ? lines : [];
}

/**
 * Whether the vendor's value is its default and no user's edit: Lockstep never sent the field, and the vendor fills it in on create (sales
 * spec 2.1, 2.3). If the documents state the default, any other value is an edit. Otherwise the first value that the vendor showed is the
 * default.
 */
function isDefault(sides: Sides, input: MergeInput): boolean {
  const { field, base, vendor } = sides;
  if (isOfSystem(sides, input)) return false;
  if (input.base === null || !FIELDS[field].vendorDefault) return false;
  if (input.base.defaulted.includes(field)) return sameValue(field, vendor, base.vendor, input.config);
  if (!awaitsDefault(input.base, field)) return false;
  const documented = documentedDefault(field, input.vendor.status ?? null, input.config);
  const known = documented ?? input.filledIn?.[field];
  return known === undefined || sameValue(field, vendor, known, input.config);
}

/**
 * Whether the vendor's system set the forecast category to Won or Lost (sales spec 2.3), as it does when a deal is closed. A partner may
 * not send another value then.
 */
function isOfSystem({ field, vendor }: Sides, { config }: MergeInput): boolean {
  return field === 'forecastCategory' && isSystemForecast(String(vendor), config);
}

function isSet(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return !(Array.isArray(value) && value.length === 0);
}
