import type { Right } from '../session/rights.js';
import { RESOURCES, type ResourceName } from '../resources.js';
import { attributeLabel } from '../components/value.js';
import { en, type TextKey } from '../translations/en.js';
import type { Texts } from '../translations/i18n.js';

const textOf = (key: string, texts: Texts): string | undefined =>
  key in en ? texts(key as TextKey) : undefined;

/** The kind of objects with which a permission lets do something. */
export const permittedObjects = (resource: string, texts: Texts): string =>
  textOf(`permitted.${resource}`, texts) ??
  (resource in RESOURCES
    ? texts(`resources.${resource as ResourceName}.name`, { smart_count: 2 })
    : resource);

/** What an action lets do. */
export const permittedAction = (action: string, texts: Texts): string =>
  textOf(`action.${action}`, texts) ?? action;

/** The attributes to which a permission is limited, in brackets; empty without a limit. */
export const permittedAttributes = (attributes: Right['attributes'], texts: Texts): string =>
  attributes === null ? '' : ` (${attributes.map((one) => attributeLabel(one, texts)).join(', ')})`;
