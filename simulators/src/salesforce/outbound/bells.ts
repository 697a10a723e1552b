import type { XmlElement } from '@rgrove/parse-xml';
import { childrenOf, textAt } from '../schema/xml.ts';
import type { Change } from '../store/row.ts';
import { type BellDef, type FlowDef, starts } from './flow.ts';

/** A custom notification that a flow has sent. Instants are ISO 8601 on the simulator's clock. */
export type Bell = {
  readonly type: string;
  readonly recipientId: string;
  readonly title: string;
  readonly body: string;
  readonly targetId: string;
  readonly at: string;
};

/**
 * The custom notification of a flow whose steps are a search of the type, an assignment of the recipient and the action, in this order
 * (Metadata API: Flow; Actions: customNotificationAction). Null for any other flow.
 */
export function readBell(root: XmlElement, first: string | undefined): BellDef | null {
  const lookup = named(root, 'recordLookups', first);
  const assignment = named(root, 'assignments', lookup && textAt(lookup, 'connector', 'targetReference'));
  const action = named(root, 'actionCalls', assignment && textAt(assignment, 'connector', 'targetReference'));
  if (lookup === undefined || assignment === undefined || action === undefined) return null;
  if (textAt(action, 'actionType') !== 'customNotificationAction') return null;
  if (textAt(lookup, 'object') !== 'CustomNotificationType') return null;
  const inputs = new Map(
    childrenOf(action, 'inputParameters').map((one) => [
      textAt(one, 'name'),
      textAt(one, 'value', 'elementReference') ?? '',
    ]),
  );
  const given = (name: string): string => inputs.get(name) ?? '';
  const added = childrenOf(assignment, 'assignmentItems').find(
    (one) => textAt(one, 'assignToReference') === given('recipientIds') && textAt(one, 'operator') === 'Add',
  );
  const type = childrenOf(lookup, 'filters').find((one) => textAt(one, 'field') === 'DeveloperName');
  const recipient = added && textAt(added, 'value', 'elementReference');
  if (recipient === undefined || type === undefined) return null;
  if (given('customNotifTypeId') !== `${textAt(lookup, 'name')}.Id`) return null;
  return {
    type: textAt(type, 'value', 'stringValue') ?? '',
    recipient: ofRecord(recipient),
    title: ofRecord(given('title')),
    body: ofRecord(given('body')),
    target: ofRecord(given('targetId')),
  };
}

function named(root: XmlElement, kind: string, name: string | undefined): XmlElement | undefined {
  return name === undefined ? undefined : childrenOf(root, kind).find((one) => textAt(one, 'name') === name);
}

function ofRecord(reference: string): string {
  return reference.replace('$Record.', '');
}

/** The notifications that the saves of a committed transaction send. An undone transaction sends none. */
export function bellsOf(flows: readonly FlowDef[], changes: readonly Change[], at: string): readonly Bell[] {
  return changes.flatMap(({ type, save, before, after }) =>
    flows.flatMap((flow): Bell[] => {
      const { bell } = flow;
      if (bell === undefined || flow.object !== type || save === null || !starts(flow, save, before, after)) return [];
      const of = (field: string): string => String(after[field] ?? '');
      const { recipient, title, body, target } = bell;
      return [
        { type: bell.type, recipientId: of(recipient), title: of(title), body: of(body), targetId: of(target), at },
      ];
    }),
  );
}
