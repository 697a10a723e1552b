import type { Hono } from 'hono';
import { readObject } from '../core/admin-body.ts';
import { refusal } from '../core/refusal.ts';
import { type KeyRing, ROTATIONS } from './keys.ts';

const BCRYPT_HASH = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** The operator's part of the key procedure (order spec 5): register a hash at the gateway, list, revoke. */
export function addKeyRoutes(admin: Hono, keys: KeyRing, defaultPartnerId: string): void {
  admin.get('/keys', (c) =>
    c.json({ keys: keys.list().map(({ id, partnerId, scopes }) => ({ id, partnerId, scopes })) }),
  );
  admin.post('/keys', async (c) => {
    const body = await readObject(c, ['hashedKey', 'partnerId', 'rotation']);
    const { hashedKey, partnerId = defaultPartnerId } = body;
    const rotation = ROTATIONS.find((way) => way === body['rotation']);
    if (typeof hashedKey !== 'string' || !BCRYPT_HASH.test(hashedKey)) {
      throw refusal(400, 'hashedKey must be a bcrypt hash of 60 characters.');
    }
    if (typeof partnerId !== 'string') throw refusal(400, 'partnerId must be a text.');
    if (rotation === undefined && body['rotation'] !== undefined)
      throw refusal(400, `rotation must be one of ${ROTATIONS.join(', ')}.`);
    const { id, scopes, partnerId: owner } = keys.register(hashedKey, partnerId, rotation);
    return c.json({ id, partnerId: owner, scopes }, 201);
  });
  admin.delete('/keys/:id', (c) => {
    if (!keys.remove(c.req.param('id'))) throw refusal(404, 'There is no key with this id.');
    return c.body(null, 204);
  });
}
