import { ACTIONS, ANY } from '../../../src/base/rights/permissions.js';
import { descriptionOf } from '../api/description.js';
import { ChosenInput, type ListInput } from '../form/chosen-input.js';
import { RESOURCES } from '../resources.js';
import { useTexts } from '../translations/i18n.js';
import type { Texts } from '../translations/i18n.js';
import { permittedAction, permittedAttributes, permittedObjects } from './permission-texts.js';

/** The writable attributes of a resource for which a role can have a permission of their own. */
const attributesOf = (resource: string): string[] =>
  resource in RESOURCES
    ? descriptionOf(resource).attributes.flatMap(({ name, writable }) => (writable ? [name] : []))
    : [];

/** Everything, an action with everything, then each resource with its actions and attributes. */
const suggestions = (): string[] => [
  ANY,
  `${ANY}:read`,
  ...Object.entries(ACTIONS)
    // The system administrator alone has these.
    .filter(([resource]) => resource !== 'parameters')
    .flatMap(([resource, actions]) => [
      `${resource}:${ANY}`,
      ...actions.flatMap((action) => [
        `${resource}:${action}`,
        ...(action === 'change'
          ? attributesOf(resource).map((name) => `${resource}:${action}:${name}`)
          : []),
      ]),
    ]),
];

/** A permission in words. */
function describe(text: string, texts: Texts): string {
  const [resource = ANY, action = ANY, attribute] = text.split(':');
  const objects =
    resource === ANY ? texts('permitted.everything') : permittedObjects(resource, texts);
  const done = action === ANY ? texts('action.any') : permittedAction(action, texts);
  return `${objects}: ${done}${permittedAttributes(attribute === undefined ? null : [attribute], texts)}`;
}

/** The permissions of a role, with suggestions in words; others can be typed. */
export function PermissionsInput(input: ListInput) {
  const texts = useTexts();
  return (
    <ChosenInput<string[]>
      {...input}
      source="permissions"
      helper={texts('help.permissions')}
      options={suggestions}
      isFree
      labelOf={(text) => text}
      describe={(text) => describe(text, texts)}
      read={(chosen) => chosen ?? []}
      write={(chosen) => chosen}
    />
  );
}
