import { audience, audienceCondition } from '../audience/audience-condition.js';
import { LOCALES } from '../directory/user.resource.js';
import { coded, dates, label, link, longText, reference } from '../resources/attributes.js';
import { resource } from '../resources/resource.js';
/** Status of content; only 1 is found by search (decisions: Representation). */
export const CONTENT_STATUS = {
    0: { en: 'draft', fr: 'brouillon' },
    1: { en: 'published', fr: 'publié' },
    2: { en: 'archived', fr: 'archivé' },
};
/** Content that somebody can find. */
export const isPublished = (alias) => `${alias}.status = 1`;
/** Of published content, what is meant for a person now. */
export const meantFor = (published) => ({ id }, alias, bind) => [...(published ? [published(alias)] : []), audienceCondition(alias, id, bind)].join(' AND ');
/** Describes a kind of content. */
export function contentResource({ singular, attributes, published, ...definition }) {
    const meant = meantFor(published);
    return resource({
        ...definition,
        attributes: {
            reference: reference(),
            label: label(definition.labelColumn),
            ...attributes,
            description: longText({ searched: true }),
            locale: coded(LOCALES, { default: 'en' }),
            author: link('users'),
            status: coded(CONTENT_STATUS, { numeric: true, default: 1 }),
            audience: audience(singular),
            ...dates(),
        },
        visible: (caller, alias, bind) => caller.administrator ? undefined : `${isPublished(alias)} AND ${meant(caller, alias, bind)}`,
    });
}
//# sourceMappingURL=content-resource.js.map