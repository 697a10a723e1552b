import type { Capture } from '../change-events/capture.ts';
import { ALL_CHANGES, channelOf } from '../change-events/entities.ts';
import type { EventSchema } from '../change-events/event-schema.ts';
import type { Access } from '../permissions/access.ts';
import { type Rights, rightsOf } from '../permissions/rights.ts';
import { PubSubRefusal } from './failure.ts';

/**
 * An existing channel: of one selected object with its schema, or without a schema, of all selected objects or of a custom channel's
 * members, which are the objects with the fields that enrich their events.
 */
export type Topic = {
  readonly name: string;
  readonly schema: EventSchema | null;
  readonly members?: ReadonlyMap<string, readonly string[]>;
};

/** Finds a topic by its exact name; refuses a blank or unknown name. */
export function findTopic({ schemas, channels }: Pick<Capture, 'schemas' | 'channels'>, name: string): Topic {
  if (name === '') throw new PubSubRefusal('topic.validation.empty');
  if (name === ALL_CHANGES && schemas.length > 0) return { name, schema: null };
  const channel = channels.find((one) => one.name === name);
  if (channel !== undefined) return { ...channel, schema: null };
  const schema = schemas.find(({ object }) => channelOf(object) === name);
  if (schema === undefined) throw new PubSubRefusal('topic.not.found');
  return { name, schema };
}

/**
 * Whether a user may receive an object's events: it needs "View All" of the object, and sharing does not count (Required Permissions for
 * Change Event Subscribers).
 */
export function mayReceive(access: Access, userId: string, { object }: EventSchema): boolean {
  const { read, viewAll } = rightsFor(access, userId).object(object.name);
  return read && viewAll;
}

/** Whether a user may subscribe to a topic. Everybody may subscribe to all changes, but gets only events of permitted objects. */
export function maySubscribe(access: Access, userId: string, { schema }: Topic): boolean {
  return schema === null || mayReceive(access, userId, schema);
}

export function rightsFor(access: Access, userId: string): Rights {
  return rightsOf(access.grants(userId));
}
