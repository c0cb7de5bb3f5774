const TEXTS = {
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
        everyone: 'visible : tout le monde',
        user: 'visible : utilisateur',
        group: 'visible : groupe',
        organization: 'visible : organisation',
        inactive: 'masquée : inactive',
        audience: 'masquée : public visé',
        'no-active-category': 'masquée : aucune catégorie active',
    },
};
/** Every reason that keeps an application hidden; if there is none, every one that shows it. */
export function reasonsFor(facts, locale) {
    const reason = (code, principal = null) => {
        const text = TEXTS[locale][code];
        return { code, text: principal ? `${text} ${principal.label}` : text, principal };
    };
    const { active, hasActiveCategory, forEveryone, named } = facts;
    const hidden = [
        ...(active ? [] : [reason('inactive')]),
        ...(forEveryone || named.length > 0 ? [] : [reason('audience')]),
        ...(hasActiveCategory ? [] : [reason('no-active-category')]),
    ];
    if (hidden.length > 0)
        return { shown: false, reasons: hidden };
    const shown = named.map(({ kind, principal }) => reason(kind, principal));
    return { shown: true, reasons: forEveryone ? [reason('everyone')] : shown };
}
//# sourceMappingURL=tile-reasons.js.map