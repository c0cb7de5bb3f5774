import { audience, audienceCondition } from '../directory/audience-condition.js';
import { LOCALES } from '../directory/user.resource.js';
import {
  contentText,
  enumeration,
  dates,
  label,
  link,
  reference,
} from '../resources/attributes/attributes.js';
import { ngramsOf } from '../resources/attributes/folded-text.js';
import type { TextOptions } from '../resources/attributes/text-attribute.js';
import type { Attribute } from '../resources/attributes/attribute.js';
import { type Resource, resource, type ResourceDefinition } from '../resources/resource.js';

/** Status of content; only 1 is found by search (docs/api-contract.md#statuses). */
export const CONTENT_STATUS = {
  0: { en: 'draft', fr: 'brouillon', de: 'Entwurf' },
  1: { en: 'published', fr: 'publié', de: 'veröffentlicht' },
  2: { en: 'archived', fr: 'archivé', de: 'archiviert' },
};

/** One kind of content: its own attributes between the shared ones. */
interface ContentDefinition extends Pick<
  ResourceDefinition,
  'name' | 'noun' | 'uri' | 'entity' | 'labelColumn'
> {
  /** The name of its audience table, without `_audiences`. */
  singular: string;
  attributes: Record<string, Attribute>;
  /** The indexed n-grams of its reference, where other texts share them. */
  referenceNgrams?: TextOptions['ngrams'];
  /** A further condition of published content, e.g. the dates of news. */
  published?: (alias: string) => string;
}

/** The condition of published content. */
export const isPublished = (alias: string): string => `${alias}.status = 1`;

/** The condition that content addresses a person at present: by its audience and its dates; `userId` is SQL of their id. */
export const addressedTo =
  (published?: (alias: string) => string) =>
  (alias: string, userId: string): string =>
    [...(published ? [published(alias)] : []), audienceCondition(alias, userId)].join(' AND ');

/** Describes a kind of content. */
export function contentResource({
  singular,
  attributes,
  referenceNgrams = ngramsOf(['reference']),
  published,
  ...definition
}: ContentDefinition): Resource {
  const isAddressedTo = addressedTo(published);
  return resource({
    ...definition,
    attributes: {
      reference: reference({ ngrams: referenceNgrams }),
      label: label(definition.labelColumn, {
        max: attributes[definition.labelColumn]!.maxLength!,
        searched: true,
      }),
      ...attributes,
      description: contentText(),
      locale: enumeration(LOCALES, { default: 'en' }),
      author: link('users'),
      status: enumeration(CONTENT_STATUS, { numeric: true, default: 1, requiredInPut: true }),
      audience: audience(singular),
      ...dates(),
    },
    visible: ({ idSql }, alias) => `${isPublished(alias)} AND ${isAddressedTo(alias, idSql())}`,
  });
}
