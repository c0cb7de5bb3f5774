import type { Attribute } from '../api/description.js';
import { useTexts } from '../translations/i18n.js';
import { ChosenInput, type ListInput } from './chosen-input.js';

/** A list of texts: from the server's choices, or free texts if it has none. */
export function TextsInput({ attribute, ...input }: ListInput & { attribute: Attribute }) {
  const texts = useTexts();
  const known = attribute.codes.map(String);
  const isFree = known.length === 0;
  return (
    <ChosenInput<string[]>
      {...input}
      source={attribute.name}
      helper={texts(isFree ? 'help.texts' : 'help.all')}
      options={() => known}
      isFree={isFree}
      labelOf={(text) => text}
      read={(chosen) => chosen ?? []}
      write={(chosen) => chosen}
    />
  );
}
