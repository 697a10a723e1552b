import type { XmlElement } from '@rgrove/parse-xml';
import { beforeSaveFlow } from '../schema/before-save-flow.ts';
import { sourceFiles } from '../schema/source-files.ts';
import { childrenOf, readXml, textAt } from '../schema/xml.ts';
import type { SaveKind, Value } from '../store/row.ts';
import { readBell } from './bells.ts';
import { type FlowCondition, type FlowDef, isFlowOperator } from './flow.ts';

const SAVES: Readonly<Record<string, readonly SaveKind[]>> = {
  Create: ['insert'],
  Update: ['update'],
  CreateAndUpdate: ['insert', 'update'],
};

/** Parts of a flow's start element that change when the flow runs, and that the simulator does not support. */
const NOT_FOLLOWED = ['filterFormula', 'scheduledPaths', 'schedule'] as const;

/** The error for a part of a flow that the simulator does not support. */
class NotFollowed extends Error {}

export type Flows = {
  readonly flows: readonly FlowDef[];
  /** A sentence, with the reason, for each active flow that the simulator does not support. */
  readonly notUnderstood: readonly string[];
};

/** The active flows of folders of source that send an outbound message or a custom notification after a save. */
export function readFlows(...packageDirs: readonly string[]): Flows {
  const files = packageDirs.flatMap(sourceFiles).filter(({ kind }) => kind === 'flow');
  const flows: FlowDef[] = [];
  const notUnderstood: string[] = [];
  for (const { name, path } of files) {
    const root = readXml(path);
    if (textAt(root, 'status') !== 'Active' || isOfScreens(root) || beforeSaveFlow(name, root) !== null) continue;
    try {
      flows.push(readFlow(name, root));
    } catch (error) {
      if (!(error instanceof NotFollowed)) throw error;
      notUnderstood.push(`The flow ${name} does not run in the simulator: it has ${error.message}.`);
    }
  }
  return { flows, notUnderstood };
}

/** Whether a user starts the flow in a browser, so that no save does. */
function isOfScreens(root: XmlElement): boolean {
  return textAt(root, 'processType') === 'Flow';
}

function readFlow(name: string, root: XmlElement): FlowDef {
  const start = childrenOf(root, 'start')[0];
  if (start === undefined) throw new NotFollowed('no start');
  const trigger = textAt(start, 'triggerType') ?? 'none';
  if (trigger !== 'RecordAfterSave') throw new NotFollowed(`the trigger ${trigger}`);
  const saves = textAt(start, 'recordTriggerType') ?? 'none';
  const on = SAVES[saves];
  if (on === undefined) throw new NotFollowed(`the record trigger ${saves}`);
  const part = NOT_FOLLOWED.find((each) => childrenOf(start, each).length > 0);
  if (part !== undefined) throw new NotFollowed(`a ${part}`);
  const first = textAt(start, 'connector', 'targetReference');
  const bell = readBell(root, first);
  return {
    name,
    object: textAt(start, 'object') ?? '',
    on,
    logic: readLogic(start),
    conditions: childrenOf(start, 'filters').map(readCondition),
    onlyWhenNewlyMet: textAt(start, 'doesRequireRecordChangedToMeetCriteria') === 'true',
    ...(bell === null ? { message: readMessage(root, first) } : { message: '', bell }),
  };
}

function readLogic(start: XmlElement): 'and' | 'or' {
  const logic = textAt(start, 'filterLogic')?.toLowerCase() ?? 'and';
  if (logic === 'and' || logic === 'or') return logic;
  throw new NotFollowed(`the condition logic ${textAt(start, 'filterLogic')}`);
}

function readCondition(filter: XmlElement): FlowCondition {
  const operator = textAt(filter, 'operator') ?? 'none';
  if (!isFlowOperator(operator)) throw new NotFollowed(`the operator ${operator}`);
  return { field: textAt(filter, 'field') ?? '', operator, value: readValue(filter) };
}

function readValue(filter: XmlElement): Value {
  const value = childrenOf(filter, 'value')[0];
  if (value === undefined) return null;
  const truth = textAt(value, 'booleanValue');
  if (truth !== undefined) return truth === 'true';
  const number = textAt(value, 'numberValue');
  if (number !== undefined) return Number(number);
  const text = textAt(value, 'stringValue') ?? textAt(value, 'dateValue');
  if (text !== undefined) return text;
  throw new NotFollowed('a condition whose value is neither text, number, date nor flag');
}

/** The outbound message of a flow that has no other step. */
function readMessage(root: XmlElement, target: string | undefined): string {
  const step = childrenOf(root, 'actionCalls').find((call) => textAt(call, 'name') === target);
  if (step === undefined) throw new NotFollowed(`the step ${target ?? 'none'}`);
  const type = textAt(step, 'actionType') ?? 'none';
  if (type !== 'outboundMessage') throw new NotFollowed(`an action of the type ${type}`);
  const next = textAt(step, 'connector', 'targetReference');
  if (next !== undefined) throw new NotFollowed(`the step ${next}`);
  return textAt(step, 'actionName') ?? '';
}
