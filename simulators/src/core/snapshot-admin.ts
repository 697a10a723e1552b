import type { Hono } from 'hono';
import { readObject } from './admin-body.ts';
import { refusal } from './refusal.ts';
import type { Snapshots } from './snapshots.ts';

/** Adds the admin routes that save, list, show, restore and delete snapshots. */
export function addSnapshotRoutes(admin: Hono, snapshots: Snapshots): void {
  const missing = () => refusal(404, 'There is no snapshot of this name.');
  admin.get('/snapshots', (c) => c.json({ snapshots: snapshots.list() }));
  admin.post('/snapshots', async (c) => {
    const { name } = await readObject(c, ['name']);
    if (typeof name !== 'string') throw refusal(400, 'A snapshot needs a name, a text.');
    return c.json(snapshots.save(name), 201);
  });
  admin.get('/snapshots/:name', (c) => {
    const text = snapshots.text(c.req.param('name'));
    if (text === undefined) throw missing();
    return c.body(text, 200, { 'content-type': 'application/json' });
  });
  admin.post('/snapshots/:name/restore', (c) => {
    const name = c.req.param('name');
    if (!snapshots.restore(name)) throw missing();
    return c.json({ restored: name });
  });
  admin.delete('/snapshots/:name', (c) => {
    if (!snapshots.remove(c.req.param('name'))) throw missing();
    return c.body(null, 204);
  });
}
