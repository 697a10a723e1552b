import type { ObjectDef, Schema } from '../schema/types.ts';
import type { ChannelMember, Members } from './read-members.ts';

/** The channel of the change events of all selected objects. */
export const ALL_CHANGES = '/data/ChangeEvents';

/** Standard objects of the simulator that have change events (Object Reference: StandardObjectNameChangeEvent). */
const SUPPORTED: ReadonlySet<string> = new Set([
  'Account',
  'Case',
  'Contact',
  'Lead',
  'Opportunity',
  'OpportunityContactRole',
  'OpportunityLineItem',
  'Pricebook2',
  'Product2',
  'Task',
  'User',
]);

/** How many objects an org may select without an add-on (Change Data Capture Developer Guide: Allocations). */
const MOST_SELECTED = 5;

/** The name of an object's change event: `AccountChangeEvent`, and `Order_Line__ChangeEvent` of `Order_Line__c`. */
export function eventNameOf({ name, custom }: ObjectDef): string {
  return custom ? name.replace(/__c$/, '__ChangeEvent') : `${name}ChangeEvent`;
}

export function channelOf(object: ObjectDef): string {
  return `/data/${eventNameOf(object)}`;
}

/**
 * The objects selected for change events, named by themselves or by their change event, each once. Throws with a sentence for an unknown
 * object, an object without change events, and more objects than an org without the add-on may select.
 */
export function readSelection(schema: Schema, names: readonly string[], hasAddOn = false): readonly ObjectDef[] {
  const selected = new Set(names.map((name) => selectable(schema, name)));
  if (hasAddOn || selected.size <= MOST_SELECTED) return [...selected];
  throw new Error(`An org selects at most ${MOST_SELECTED} objects for change events, not ${selected.size}.`);
}

/** A custom channel, such as `/data/Own__chn`, and for each of its objects the fields that enrich its events. */
export type Channel = { readonly name: string; readonly members: ReadonlyMap<string, readonly string[]> };

/** The custom channels. Throws with a sentence for a member that names an unknown object or field. */
export function readChannels(schema: Schema, channels: Members['channels']): readonly Channel[] {
  const memberOf = ({ entity, enriched }: ChannelMember): [string, readonly string[]] => {
    const object = selectable(schema, entity);
    const names = enriched.map((field) => {
      const known = object.fields.get(field.toLowerCase());
      if (known === undefined)
        throw new Error(`There is no field ${object.name}.${field} to enrich change events with.`);
      return known.name;
    });
    return [object.name, names];
  };
  return [...channels].map(([name, members]) => ({ name: `/data/${name}`, members: new Map(members.map(memberOf)) }));
}

function selectable(schema: Schema, name: string): ObjectDef {
  const found = schema.objects.find((object) => object.name === name || eventNameOf(object) === name);
  if (found === undefined) throw new Error(`There is no object ${name} to select for change events.`);
  if (found.custom || SUPPORTED.has(found.name)) return found;
  throw new Error(`The object ${name} has no change events.`);
}
