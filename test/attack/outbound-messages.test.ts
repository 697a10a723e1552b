import { describe, expect, test } from 'vitest';
import { parseOutboundMessage } from '../../src/webhooks/outbound-message.ts';
import { notification, numbered, outboundMessage } from '../support/stack/webhooks.ts';

/**
 * One message must not hold up the receiver, which other tenants use too: whatever its half a megabyte says, it takes
 * fifty milliseconds at most, or on a machine that is busy a few times what an ordinary message takes beside it.
 */

const MOST_MS = 50;
const TIMES_ORDINARY = 6;
const MOST_BYTES = 512 * 1024;

/** The message with this in the place of its one notification. */
const within = (inner: string): string => outboundMessage({ notifications: [inner] });
const filled = (one: (n: number) => string, bytes = 430_000): string => {
  const parts: string[] = [];
  for (let size = 0, n = 0; size < bytes; n += 1) {
    const part = one(n);
    size += part.length;
    parts.push(part);
  }
  return parts.join('');
};
/** An ordinary message of a hundred records with thirty fields each. */
const fields = Array.from({ length: 30 }, (_, n) =>
  n % 2 === 0 ? `<sf:Field${n}__c>A value of usual length</sf:Field${n}__c>` : `<sf:Field${n}__c xsi:nil="true"/>`,
).join('\n     ');
const ordinary = outboundMessage({
  notifications: Array.from({ length: 100 }, (_, n) =>
    notification(n).replace('</sObject>', `${fields}\n    </sObject>`),
  ),
});

function timeOf(message: string): number {
  const startedAt = performance.now();
  parseOutboundMessage(message);
  return performance.now() - startedAt;
}

/** The best of some tries, each with an ordinary one beside it: what it takes, and not what else the machine did. */
function bestTimes(message: string): { readonly attack: number; readonly usual: number } {
  const tries = Array.from({ length: 5 }, () => [timeOf(message), timeOf(ordinary)] as const);
  return { attack: Math.min(...tries.map(([one]) => one)), usual: Math.min(...tries.map(([, one]) => one)) };
}

const declarations = (bytes: number): string => filled((n) => ` xmlns:p${n}="u"`, bytes);
const ATTACKS: readonly (readonly [string, string])[] = [
  [
    'namespaces that each child adds to',
    within(`<a${declarations(200_000)}>${filled((n) => `<b xmlns:c${n}="u"/>`, 200_000)}</a>`),
  ],
  [
    'namespaces around notifications that declare one each',
    outboundMessage().replace(
      /<notifications ([^>]*)>/,
      (_, first) =>
        `<notifications ${first}${declarations(200_000)}>${filled((n) => `<Notification xmlns:c${n}="u"/>`, 200_000)}`,
    ),
  ],
  ['attributes of one element', within(`<a ${filled((n) => ` a${n}="b"`)}/>`)],
  ['attributes of a record', within(notification(1).replace('<sObject', `<sObject ${filled((n) => ` x:a${n}="b"`)}`))],
  ['one attribute over and over', within(`<a ${filled(() => ' a="b"')}/>`)],
  ['elements', within(filled(() => '<a/>'))],
  ['elements in each other', within(filled(() => '<a>'))],
  ['notifications', within(filled((n) => notification(n)))],
  ['empty notifications', within(filled(() => '<Notification/>'))],
  [
    'ids in one notification',
    within(`<Notification>${filled((n) => `<Id>${numbered('04l', n)}</Id>`)}</Notification>`),
  ],
  ['an id without end', within(`<Notification><Id>${filled(() => 'a')}</Id></Notification>`)],
  ['character references', within(`<a>${filled(() => '&#65;')}</a>`)],
  ['long character references', within(`<a>${filled(() => `&#${'0'.repeat(1_000)}65;`)}</a>`)],
  ['references without end', within(`<a>${filled(() => `&${'a'.repeat(2_000)}`)}</a>`)],
  ['one reference without end', within(`<a>&#${filled(() => '0')}65;</a>`)],
  ['long references of an attribute', within(`<a b="${filled(() => `&#x${'0'.repeat(1_000)}41;`)}"/>`)],
  ['unknown entities', within(filled(() => '&lol;'))],
  ['comments', within(filled(() => '<!---->'))],
  ['sections of text', within(filled(() => '<![CDATA[]]>'))],
  ['instructions', within(filled(() => '<?a ?>'))],
  ['opening brackets', within(filled(() => '<'))],
  ['blanks', within(filled(() => ' '))],
  ['line ends', within(filled(() => '\r\n'))],
  ['returns', within(filled(() => '\r'))],
  ['tabs in a value', within(`<a b="${filled(() => '\t')}"/>`)],
  ['rare letters', within(filled(() => '😀', 200_000))],
  ['a doctype at the very end', `${within(filled(() => '<a/>'))}<!DOCTYPE a>`],
  ['a prefix without end', within(`<${filled(() => 'a')}:b/>`)],
  ['colons', within(`<a${filled(() => ':')}/>`)],
];

describe('a message of 430 KB', () => {
  test.each(ATTACKS)(
    `of %s`,
    (_, message) => {
      expect(message.length).toBeLessThan(MOST_BYTES);
      const { attack, usual } = bestTimes(message);
      expect(attack).toBeLessThan(Math.max(MOST_MS, TIMES_ORDINARY * usual));
      expect(parseOutboundMessage(message)).toHaveProperty('refusal');
    },
    20_000,
  );
});

test.each(['&amp;', '&#1114111;', '&#x10FFFF;', '&quot;', 'R&#38;D &#xe9;'])('%s is read', (name) => {
  const message = outboundMessage({ notifications: [notification(1, { name })] });
  expect(parseOutboundMessage(message)).toHaveProperty('message.notifications.length', 1);
});

test('an ordinary message of a hundred is read', () => {
  expect(ordinary.length).toBeLessThan(MOST_BYTES / 2);
  expect(parseOutboundMessage(ordinary)).toHaveProperty('message.notifications.length', 100);
});

test.each<[string, boolean]>([
  ['&#1114109;', true],
  ['&#x10FFFD;', true],
  ['&quot;', true],
  ['&#00000000065;', false],
  ['&#x000000041;', false],
  [`&${'a'.repeat(11)};`, false],
  [`&#${'0'.repeat(1_000)}65;`, false],
])('a reference is as long as one has to be: %s', (reference, isTaken) => {
  const read = parseOutboundMessage(outboundMessage({ notifications: [notification(1, { name: reference })] }));
  expect('message' in read).toBe(isTaken);
});
