import avro from 'avsc';
import { describe, expect, test } from 'vitest';
import { createDecoder, decodeInTurn } from '../../src/salesforce/pubsub/event-decoder.ts';

/** Neither a schema of change events nor an event holds the worker for long, however few bytes say how much. */

const HEADER = {
  ...{ entityName: 'Contact', recordIds: [], changeType: 'UPDATE', changeOrigin: '', transactionKey: '' },
  ...{ commitUser: '', changedFields: [] as readonly string[] },
};
const texts = { type: 'array', items: 'string' };
const headerFields = Object.entries(HEADER).map(([name, value]) => ({
  name,
  type: Array.isArray(value) ? texts : 'string',
}));
const schema = (...more: readonly object[]) => ({
  ...{ name: 'ContactChangeEvent', type: 'record' },
  fields: [{ name: 'ChangeEventHeader', type: { name: 'H', type: 'record', fields: headerFields } }, ...more],
});
const nothings = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `f${n}`, type: 'null' }));

/** The least processor time of three tries in milliseconds, because other programs on the machine lengthen the elapsed time. */
function leastMs(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const begunMs = processorMs();
    work();
    return processorMs() - begunMs;
  });
  return Math.min(...times);
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

describe('a schema', () => {
  test.each([
    ['a list of nothings', schema({ name: 'f', type: { type: 'array', items: 'null' } })],
    [
      'a list of empty records',
      schema({ name: 'f', type: { type: 'array', items: { type: 'record', name: 'E', fields: [] } } }),
    ],
    [
      'a list in a union in a record',
      schema({
        name: 'f',
        type: { type: 'record', name: 'R', fields: [{ name: 'g', type: ['null', { type: 'array', items: 'null' }] }] },
      }),
    ],
    ['a map', schema({ name: 'f', type: { type: 'map', values: 'null' } })],
    ['fifty thousand fields', schema(...nothings(50_000))],
    ['a long text', { ...schema(), doc: 'x'.repeat(600 * 1024) }],
  ])('with %s is refused at once', (_, written) => {
    const text = JSON.stringify(written);
    expect(leastMs(() => expect(() => createDecoder(text)).toThrow(TypeError))).toBeLessThan(250);
  });

  test('of the largest object is read', () => {
    expect(createDecoder(JSON.stringify(schema(...nothings(1_500)))).name).toBe('ContactChangeEvent');
  });
});

describe('an event', () => {
  test('that is too large is refused at once', () => {
    const decoder = createDecoder(JSON.stringify(schema({ name: 'f', type: texts })));
    expect(leastMs(() => expect(() => decoder.decode(Buffer.alloc(2 * 1024 * 1024))).toThrow('large'))).toBeLessThan(
      250,
    );
  });

  test('of the largest size a hundred times lets the process do other work between two of them', async () => {
    const written = schema({ name: 'f', type: texts });
    const values = Array(100_000).fill('12345678');
    const payload = avro.Type.forSchema(written as avro.Schema).toBuffer({ ChangeEventHeader: HEADER, f: values });
    expect(payload.length).toBeGreaterThan(800 * 1024);
    const decoder = createDecoder(JSON.stringify(written));
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
    }, 0);
    for (let event = 0; event < 100; event += 1) await decodeInTurn(decoder, payload);
    clearInterval(other);
    expect(turns).toBeGreaterThan(20);
  });

  test.each([
    ['of four thousand digits', `0x${'F'.repeat(4_096)}`, 200],
    ['of one digit', '0xF', 200_000],
  ])('with many bitmaps %s is read at once', (_, bitmap, count) => {
    const written = schema(...nothings(800));
    const nulls = Object.fromEntries(nothings(800).map(({ name }) => [name, null]));
    const payload = avro.Type.forSchema(written as avro.Schema).toBuffer({
      ...{ ChangeEventHeader: { ...HEADER, changedFields: Array(count).fill(bitmap) }, ...nulls },
    });
    const decoder = createDecoder(JSON.stringify(written));
    expect(leastMs(() => decoder.decode(payload))).toBeLessThan(250);
  });
});
