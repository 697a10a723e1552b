import type { Hono } from 'hono';
import { readObject } from '../../core/admin-body.ts';
import { refusal } from '../../core/refusal.ts';
import type { Sessions } from '../oauth/sessions.ts';
import type { Org } from '../org.ts';
import { userRow } from '../seed/seed.ts';
import { normalizeId } from '../store/ids.ts';
import type { Exception, FieldLevel, Level, SharingModel } from './types.ts';

const LEVELS: readonly string[] = ['none', 'read', 'edit', 'full'];
const MODELS: readonly string[] = ['Private', 'Read', 'ReadWrite', 'ControlledByParent'];

/**
 * `GET access` (permission sets, exceptions and sharing), `PUT access` `{user, object | field | record | permission, access}` (`user` is
 * `integration`, `user` or an id; `access` `none`, `read`, `edit`, for a record also `full`), `PUT sharing` `{object, model}`,
 * `DELETE access` (takes all of it back). `POST users` `{lastName, permissionSets}` adds a sales person with the profile Standard User,
 * and answers with the user's `id` and `accessToken`.
 */
export function addAccessRoutes(admin: Hono, org: Org, sessions: Sessions): void {
  const { access } = org;
  admin.post('/users', async (c) => {
    const { lastName, permissionSets } = await readObject(c, ['lastName', 'permissionSets']);
    const sets = setsNamed(org, permissionSets);
    if (typeof lastName !== 'string' || lastName === '') throw refusal(400, 'Give the last name.');
    const id = org.store.nextId('005');
    org.store.transact(() => userRow(org, id, { firstName: 'Sam', lastName }));
    access.employ(id, sets);
    return c.json({ id, accessToken: sessions.issue(id) });
  });
  admin.get('/access', (c) => c.json(report(org)));
  admin.put('/access', async (c) => {
    const body = await readObject(c, ['user', 'object', 'field', 'record', 'permission', 'access']);
    access.except(userOf(org, body['user']), exceptionOf(org, body));
    return c.json(report(org));
  });
  admin.put('/sharing', async (c) => {
    const { object, model } = await readObject(c, ['object', 'model']);
    const name = objectNamed(org, object);
    if (typeof model !== 'string' || !MODELS.includes(model)) {
      throw refusal(400, `The model must be one of ${MODELS.join(', ')}.`);
    }
    access.share(name, model as SharingModel);
    return c.json(report(org));
  });
  admin.delete('/access', (c) => {
    access.clear();
    return c.body(null, 204);
  });
}

function setsNamed({ metadata }: Org, given: unknown): readonly string[] {
  const known = metadata.permissionSets.map(({ name }) => name);
  if (Array.isArray(given) && given.every((name) => known.includes(name))) return given;
  throw refusal(400, `The permission sets must be a list of names. Known: ${known.join(', ')}.`);
}

function report({ access, identity, store }: Org) {
  const users = [identity.salesUserId, identity.integrationUserId].map((userId) => {
    const { isAdmin, sets, exceptions } = access.grants(userId);
    return {
      id: userId,
      username: store.get('User', userId)?.['Username'] ?? null,
      isAdmin,
      permissionSets: sets.map(({ name }) => name),
      exceptions: exceptions.map(({ kind: _kind, ...rest }) => rest),
    };
  });
  const models = store.schema.objects.map((object) => [object.name, access.sharingModel(object)]);
  return { users, sharing: Object.fromEntries(models) };
}

function userOf(org: Org, user: unknown): string {
  if (user === 'integration') return org.identity.integrationUserId;
  if (user === 'user') return org.identity.salesUserId;
  const id = typeof user === 'string' ? normalizeId(user) : null;
  if (id !== null && org.store.get('User', id) !== undefined) return id;
  throw refusal(400, 'The user must be "integration", "user" or the id of a user.');
}

function exceptionOf(org: Org, body: Readonly<Record<string, unknown>>): Exception {
  const { object, field, record, permission, access } = body;
  if ([object, field, record, permission].filter((each) => each !== undefined).length !== 1) {
    throw refusal(400, 'Give one of object, field, record and permission.');
  }
  const isLevel = typeof access === 'string' && LEVELS.includes(access);
  if (!isLevel || (access === 'full' && record === undefined)) {
    throw refusal(400, 'The access must be none, read or edit; for a record also full.');
  }
  if (permission !== undefined) {
    return { kind: 'permission', permission: String(permission), access: access as FieldLevel };
  }
  if (object !== undefined) {
    return { kind: 'object', object: objectNamed(org, object), access: access as FieldLevel };
  }
  if (field !== undefined) return { kind: 'field', field: fieldNamed(org, field), access: access as FieldLevel };
  return { kind: 'record', record: recordNamed(org, record), access: access as Level };
}

function objectNamed(org: Org, name: unknown): string {
  const object = typeof name === 'string' ? org.store.schema.object(name) : undefined;
  if (object !== undefined) return object.name;
  throw refusal(400, 'There is no such object.');
}

function fieldNamed(org: Org, name: unknown): string {
  const [objectName = '', fieldName = ''] = String(name).split('.');
  const object = org.store.schema.object(objectName);
  const field = object?.fields.get(fieldName.toLowerCase());
  if (object !== undefined && field !== undefined) return `${object.name}.${field.name}`;
  throw refusal(400, 'There is no such field; name it as Opportunity.Amount.');
}

function recordNamed(org: Org, id: unknown): string {
  const record = normalizeId(String(id));
  const object = record === null ? undefined : org.store.schema.objectOfId(record);
  if (record !== null && object !== undefined && org.store.get(object.name, record) !== undefined) return record;
  throw refusal(404, 'There is no record with this id.');
}
