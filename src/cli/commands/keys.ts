import { setTimeout as pause } from 'node:timers/promises';
import { Argument } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import { resealLedger } from '../../operator/ledger/reseal-ledger.ts';
import {
  abortKey,
  confirmKey,
  type KeyPorts,
  type KeyStatus,
  keyStatus,
  rotateKey,
  setKey,
} from '../../operator/tenants/keys.ts';
import { CliError } from '../exit.ts';
import type { OperatorTools } from '../operator-tools.ts';
import { operatorVerb, tenantArgument } from '../operator-verb.ts';
import { privateText } from '../private-text.ts';
import { sealingKeyIds, sealingLines } from '../sealing-lines.ts';
import { withSubverbs } from '../with-subverbs.ts';

type What = 'rotate' | 'confirm' | 'abort' | 'status' | 'set';
type Options = { readonly file?: string; readonly tenant?: string };

const addVendorKeys = operatorVerb({
  name: 'keys',
  example: `Examples:
  lockstep keys rotate acme                requests a new key; prints its hash for the vendor's administrators
  lockstep keys confirm acme               the vendor has registered the hash: tests the key in both domains and puts it in use
  lockstep keys abort acme                 discards the new key
  lockstep keys status acme
  lockstep keys set acme                   asks for a key that the vendor issued; the ledger's key replaces the tenant file's
  lockstep keys set acme --file key.txt    reads that key from a file
  lockstep keys reseal                     seals the whole ledger with the first sealing key of the key file

No command shows a key or takes one as an argument. Send only the hash to the vendor, over the agreed secure channel.`,
  takes: (command) =>
    tenantArgument(
      command.addArgument(
        new Argument('<what>', 'what to do').choices(['rotate', 'confirm', 'abort', 'status', 'set']),
      ),
    ).option('--file <path>', 'for set: the file with the key, which only its owner may read'),
  run: async (tools, what: What, name: string | undefined, { file, tenant: named }: Options) => {
    const { tenant } = await tools.tenant(name ?? named);
    const ports: KeyPorts = { ledger: await tools.ledger(), rotation: await tools.rotation(), pause };
    const status = await doneBy(what, ports, tenant, file, tools);
    return { shape: 'keys/1', ...status } as const;
  },
  effect: (what, name, { tenant }) => (what === 'status' ? null : { word: what, tenant: { given: name ?? tenant } }),
  lines: (status) => keyLines(status),
  needsAttention: (status) =>
    status.waiting !== null || status.rotationKey !== null || isRefused(status) || status.paused.length > 0,
});

/**
 * `lockstep keys reseal`: encrypts the data of the ledger (Lockstep's database) again with the first sealing key (encryption key) of the
 * key file. Tenants' API keys for the vendor do not change.
 */
const addReseal = operatorVerb({
  name: 'reseal',
  description: 'seal the ledger with the first sealing key of the key file, while all processes run',
  example: `Example:
  lockstep keys reseal

First add the new key on a line above the old key and distribute the file to every process: both keys open values, the first
key seals. After Ctrl-C the next run continues. At its end the command lists the keys that you can remove. Exits with 2 when
an old key still seals a value: run the command again.`,
  run: async (tools) => {
    const [ledger, keys] = [await tools.ledger(), await sealingKeyIds(tools)];
    return resealLedger({ ledger, keys, pause: (ms) => pause(ms), progress: (text) => tools.progress(text) });
  },
  effect: () => ({}),
  lines: ({ dataKeys, values, ...sealing }) => [
    `Sealed again: ${counted(dataKeys, 'data key')} and ${counted(values, 'value')}.`,
    ...sealingLines(sealing),
  ],
  needsAttention: ({ inUse }) => Object.keys(inUse).length > 1,
});

/**
 * `lockstep keys <what> <tenant>`: shows, rotates or sets a tenant's API key for the vendor. `lockstep keys reseal`: encrypts the ledger
 * (Lockstep's database) again with the first sealing key (encryption key) of the key file.
 */
export const addKeys = withSubverbs(addVendorKeys, addReseal);

async function doneBy(
  what: What,
  ports: KeyPorts,
  tenant: string,
  file: string | undefined,
  tools: OperatorTools,
): Promise<KeyStatus> {
  switch (what) {
    case 'rotate':
      return rotateKey(ports, tenant);
    case 'confirm':
      return confirmKey(ports, tenant);
    case 'abort':
      return abortKey(ports, tenant);
    case 'status':
      return keyStatus(ports, tenant);
    case 'set':
      return setKey(ports, tenant, await givenKey(file, tools), tools.now());
  }
}

/** The API key from the file, or typed on the terminal if no file is named. */
async function givenKey(file: string | undefined, { context }: OperatorTools): Promise<string> {
  if (file !== undefined) return privateText(file, 'the key');
  const typed = await context.askSecret('The key, which is not shown as you type or paste it: ');
  if (typed === null) throw new CliError('No key was given: type it on a terminal, or name its file: --file PATH.');
  return typed.trim();
}

/**
 * A line of text for each group of vendor calls that is paused, usually because the vendor refuses the API key, and a last line with the
 * repair. A group contains calls that are paused together. If all pauses began before the present key was put in use, the lines say that
 * another key was in use then.
 */
function pausedLines({ tenant, paused, switchedAt }: KeyStatus): readonly string[] {
  if (paused.length === 0) return [];
  const isOfOther = switchedAt !== null && paused.every(({ since }) => since < switchedAt);
  if (isOfOther)
    return [
      ...paused.map(({ group, since }) => `${group} is paused since ${since}, when another key was in use.`),
      `The one in use is tried within five minutes, or at once by: lockstep resume ${tenant}`,
    ];
  return [
    ...paused.map(({ group, since, reason }) => `${group} is paused since ${since}: ${reason}.`),
    `Where the vendor has ended the key: lockstep keys set ${tenant}, with one that it hands out. All goes on within five minutes of its being taken, or at once by: lockstep resume ${tenant}`,
  ];
}

/**
 * Whether the last rotation found that the vendor refuses the API key in use. False if another key was put in use after that rotation
 * began.
 */
export function isRefused({ rotation, switchedAt }: KeyStatus): boolean {
  return rotation?.phase === 'refused' && (switchedAt === null || switchedAt < rotation.begunAt);
}

export function keyLines(status: KeyStatus): readonly string[] {
  const { tenant, inUse, switchedAt, provenAt, rotation } = status;
  return [
    `${tenant} uses the key of the ${inUse}${switchedAt === null ? '' : `, since ${switchedAt}`}${provenAt === null ? '' : `, proven in both domains ${provenAt}`}.`,
    ...pausedLines(status),
    ...(rotation?.phase === 'generating' ? ['The vendor has not given a new key yet; the asking goes on.'] : []),
    ...(isRefused(status)
      ? [
          `The vendor refuses the key in use, and gives no new one for it: lockstep keys set ${tenant}, with one that it hands out.`,
        ]
      : []),
    ...((rotation?.lostAnswers ?? 0) > 0
      ? [
          `${counted(rotation?.lostAnswers ?? 0, 'answer with a key was', 'answers with a key were')} lost, so Lockstep asked for another key.`,
        ]
      : []),
    ...newKeyLines(status),
  ];
}

/** Lines of text about a rotation's new key, and the command that ends the rotation. None if there is no new key. */
function newKeyLines({ tenant, waiting, rotation, rotationKey }: KeyStatus): readonly string[] {
  if (rotationKey === 'missing')
    return [
      `The ledger lacks the new key of the rotation, for example after a restore. First: lockstep keys abort ${tenant}. Then: lockstep keys rotate ${tenant}`,
    ];
  const proof = rotation?.proof;
  const isProofKnown = proof !== undefined && (waiting !== null || rotationKey === 'in use');
  return [
    ...(isProofKnown
      ? [`The vendor does not take the new key everywhere yet: sales ${proof.sales}, order ${proof.order}.`]
      : []),
    ...(rotationKey === 'in use'
      ? [
          `The new key is in use, because the vendor refuses the key before it. To end the rotation: lockstep keys confirm ${tenant}`,
          `Where the vendor has ended the new key, too: lockstep keys set ${tenant}, with one that it hands out.`,
        ]
      : []),
    ...(waiting === null
      ? []
      : [
          `A new key waits${waiting.since === null ? '' : ` since ${waiting.since}`}. Hand its hash to the vendor's administrators, over the secured channel:`,
          waiting.hashedKey,
          `When they have registered it: lockstep keys confirm ${tenant}`,
        ]),
  ];
}
