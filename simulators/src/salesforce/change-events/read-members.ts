import { sourceFiles } from '../schema/source-files.ts';
import { readXml, textAt } from '../schema/xml.ts';

export type Members = {
  /** Names of change events, such as `AccountChangeEvent`. */
  readonly selected: readonly string[];
  /** A sentence for each member of a channel that is not simulated. */
  readonly notUnderstood: readonly string[];
};

/** The objects that folders of source select for the standard channel (Metadata API: PlatformEventChannelMember). */
export function readMembers(...packageDirs: readonly string[]): Members {
  const members = packageDirs
    .flatMap(sourceFiles)
    .filter(({ kind }) => kind === 'platformEventChannelMember')
    .map(({ name, path }) => {
      const root = readXml(path);
      return { name, channel: textAt(root, 'eventChannel'), entity: textAt(root, 'selectedEntity') ?? '' };
    });
  const isStandard = ({ channel }: (typeof members)[number]) => channel === 'ChangeEvents';
  return {
    selected: members.filter(isStandard).map(({ entity }) => entity),
    notUnderstood: members
      .filter((member) => !isStandard(member))
      .map(({ name }) => `The channel member ${name} is left out: only the channel ChangeEvents is simulated.`),
  };
}
