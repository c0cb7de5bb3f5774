import { FormHelperText, Stack, TextField } from '@mui/material';
import { useInput } from 'react-admin';
import type { Locale } from '../../api-client/types.js';
import { LANGUAGE_NAMES } from '../../theme/languages.js';
import { type Attribute } from '../api/description.js';
import { attributeLabel } from '../components/value.js';
import { refused } from '../components/problems.js';
import { useTexts } from '../translations/i18n.js';

type Translations = Partial<Record<Locale, Record<string, string>>>;

/** The value without blank texts; null when none is left. */
function filledIn(translations: Translations): Translations | null {
  const languages = Object.entries(translations).flatMap(([locale, texts]) => {
    const filled = Object.entries(texts).filter(([, text]) => text !== '');
    return filled.length > 0 ? [[locale, Object.fromEntries(filled)] as const] : [];
  });
  return languages.length > 0 ? Object.fromEntries(languages) : null;
}

/** A field for each text in each language. */
export function TranslationsInput({ attribute }: { attribute: Attribute }) {
  const texts = useTexts();
  const { name, translates } = attribute;
  const { field, fieldState } = useInput({
    source: name,
    parse: (value: unknown) => value,
    format: (value: unknown) => value,
  });
  const { error } = fieldState;
  const value = (field.value as Translations | null | '') || {};
  const write = (locale: Locale, text: string, written: string) =>
    (field.onChange as (next: Translations | null) => void)(
      filledIn({ ...value, [locale]: { ...value[locale], [text]: written } }),
    );
  return (
    <Stack useFlexGap spacing={2}>
      {LANGUAGE_NAMES.flatMap(([locale, language]) =>
        translates.map((text) => (
          <TextField
            key={`${locale} ${text}`}
            name={`${name}.${locale}.${text}`}
            label={`${attributeLabel(text, texts)} (${language})`}
            value={value[locale]?.[text] ?? ''}
            onChange={(event) => write(locale, text, event.target.value)}
            onBlur={field.onBlur}
            slotProps={{ htmlInput: { lang: locale } }}
            error={error !== undefined}
            fullWidth
          />
        )),
      )}
      <FormHelperText error={error !== undefined}>
        {error?.message === undefined ? texts('help.translations') : refused(error.message, texts)}
      </FormHelperText>
    </Stack>
  );
}
