import type { XmlElement } from '@rgrove/parse-xml';
import { childrenOf, textAt } from './xml.ts';

/** A flow that sets fields of a row before the row is saved (Metadata API: Flow). */
export type BeforeSaveFlowSource = {
  readonly name: string;
  readonly object: string;
  readonly on: 'create' | 'update' | 'both';
  /** The formulas that give the fields their values, by field. */
  readonly set: Readonly<Record<string, string>>;
};

const SAVES: Readonly<Record<string, BeforeSaveFlowSource['on']>> = {
  Create: 'create',
  Update: 'update',
  CreateAndUpdate: 'both',
};

/** Parts of a flow's start element that change when the flow runs, and that the simulator does not support before a save. */
const NOT_FOLLOWED = ['filters', 'filterFormula', 'scheduledPaths', 'schedule'];

/**
 * An active flow that runs before each save of an object and only sets fields of the row by formulas; null for any other flow (Help:
 * "Fast Field Updates").
 */
export function beforeSaveFlow(name: string, root: XmlElement): BeforeSaveFlowSource | null {
  const start = childrenOf(root, 'start')[0];
  if (start === undefined || textAt(root, 'status') !== 'Active') return null;
  const on = SAVES[textAt(start, 'recordTriggerType') ?? ''];
  if (textAt(start, 'triggerType') !== 'RecordBeforeSave' || on === undefined) return null;
  if (NOT_FOLLOWED.some((part) => childrenOf(start, part).length > 0)) return null;
  const target = textAt(start, 'connector', 'targetReference');
  const step = childrenOf(root, 'recordUpdates').find((one) => textAt(one, 'name') === target);
  if (step === undefined || textAt(step, 'inputReference') !== '$Record') return null;
  if (textAt(step, 'connector', 'targetReference') !== undefined) return null;
  const formulas = new Map(
    childrenOf(root, 'formulas').map((one) => [textAt(one, 'name'), textAt(one, 'expression') ?? '']),
  );
  const set = childrenOf(step, 'inputAssignments').map((one) => {
    const formula = formulas.get(textAt(one, 'value', 'elementReference'));
    return [textAt(one, 'field') ?? '', formula === undefined ? null : ofRow(formula)] as const;
  });
  if (set.some(([, formula]) => formula === null)) return null;
  return {
    name,
    object: textAt(start, 'object') ?? '',
    on,
    set: Object.fromEntries(set) as Record<string, string>,
  };
}

/**
 * The formula with references to a row's fields instead of the flow's `$Record`. A new row has no previous version, whose fields are then
 * blank.
 */
function ofRow(formula: string): string {
  return formula
    .replace(/\{!\$Record__Prior\.(\w+)\}/g, 'IF(ISNEW(), "", PRIORVALUE($1))')
    .replace(/\{!\$Record\.(\w+)\}/g, '$1')
    .replace(/\{!(\$\w+\.\w+)\}/g, '$1');
}
