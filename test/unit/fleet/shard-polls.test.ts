import { describe, expect, it } from 'vitest';
import type { StreamName } from '../../../src/domain/streams/streams.ts';
import { MINUTE, NEW, ofStream, type Read, shardOf } from '../../support/shard-of.ts';

describe('a poll of a shard', () => {
  it('polls the vendor every six seconds for ten minutes after a change, and asks for quotas once a minute', async () => {
    let finds = true;
    const read: Read = (tenant, stream) => ({
      found: tenant === 'active' && stream === 'pollVendor' && finds ? 1 : 0,
      more: false,
    });
    const { seen, asked, turn, pass } = shardOf(['active', 'idle', NEW], read);
    await turn();
    finds = false;
    await pass(500);
    const before = seen.reads.length;
    for (let second = 0; second < 9 * 60; second += 6) await pass(6_000);
    const polls = (name: string) => seen.reads.slice(before).filter((one) => one === `${name}/pollVendor`).length;
    expect([polls('active'), polls('idle'), polls(NEW), asked.quotas]).toEqual([90, 3, 9, 10]);
    for (let minute = 0; minute < 60; minute += 1) await pass(MINUTE);
    const [later, quotas] = [polls('active'), asked.quotas];
    for (let minute = 0; minute < 9; minute += 1) await pass(MINUTE);
    expect([polls('active') - later, asked.quotas]).toEqual([3, quotas]);
  });

  it('reads a few steps in one poll while they find nothing, and none of what a workflow reads step by step', async () => {
    const left = new Map<StreamName, number>([
      ['pollVendor', 2],
      ['pullOrders', 2],
    ]);
    const read: Read = (_, stream) => {
      const more = left.get(stream) ?? 0;
      left.set(stream, more - 1);
      return { found: 0, more: more > 0 };
    };
    const { seen, turn } = shardOf(['acme'], read);
    await turn();
    expect([ofStream(seen.reads, 'pollVendor'), ofStream(seen.reads, 'pullOrders'), seen.own]).toEqual([3, 1, []]);
  });
});
