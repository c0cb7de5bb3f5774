import type { Ref } from '../resources/ref.js';
import type { Locale } from '../security/caller.js';

/** Why an application is shown, by the kind of principal in its audience. */
export type ShownBecause = 'everyone' | 'user' | 'group' | 'organization';
/** Why an application is hidden; the answer lists every reason that applies. */
export type HiddenBecause = 'inactive' | 'audience' | 'no-active-category';

/** One reason, for a machine and for a person. */
export interface Reason {
  code: ShownBecause | HiddenBecause;
  /** e.g. `shown: group Sales` */
  text: string;
  /** The principal in the audience; null for other reasons. */
  principal: Ref | null;
}

const TEXTS: Record<Locale, Record<Reason['code'], string>> = {
  en: {
    everyone: 'shown: everyone',
    user: 'shown: user',
    group: 'shown: group',
    organization: 'shown: organization',
    inactive: 'hidden: inactive',
    audience: 'hidden: audience',
    'no-active-category': 'hidden: no active category',
  },
  fr: {
    everyone: 'visible\u00a0: tout le monde',
    user: 'visible\u00a0: utilisateur',
    group: 'visible\u00a0: groupe',
    organization: 'visible\u00a0: organisation',
    inactive: 'masquée\u00a0: inactive',
    audience: 'masquée\u00a0: public visé',
    'no-active-category': 'masquée\u00a0: aucune catégorie active',
  },
  de: {
    everyone: 'sichtbar: alle',
    user: 'sichtbar: Benutzer',
    group: 'sichtbar: Gruppe',
    organization: 'sichtbar: Organisation',
    inactive: 'ausgeblendet: inaktiv',
    audience: 'ausgeblendet: Zielgruppe',
    'no-active-category': 'ausgeblendet: keine aktive Kategorie',
  },
};

/** The facts that decide whether a person sees an application. */
export interface TileFacts {
  active: boolean;
  hasActiveCategory: boolean;
  forEveryone: boolean;
  /** The person's principals that the audience names. */
  named: { kind: ShownBecause; principal: Ref }[];
}

/** Every reason that hides an application; if there is none, every reason that shows it. */
export function reasonsFor(
  facts: TileFacts,
  locale: Locale,
): { shown: boolean; reasons: Reason[] } {
  const reason = (code: Reason['code'], principal: Ref | null = null): Reason => {
    const text = TEXTS[locale][code];
    return { code, text: principal ? `${text} ${principal.label}` : text, principal };
  };
  const { active, hasActiveCategory, forEveryone, named } = facts;
  const hidden: Reason[] = [
    ...(active ? [] : [reason('inactive')]),
    ...(forEveryone || named.length > 0 ? [] : [reason('audience')]),
    ...(hasActiveCategory ? [] : [reason('no-active-category')]),
  ];
  if (hidden.length > 0) return { shown: false, reasons: hidden };
  const shown = named.map(({ kind, principal }) => reason(kind, principal));
  return { shown: true, reasons: forEveryone ? [reason('everyone')] : shown };
}
