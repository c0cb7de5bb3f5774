import { descriptionOf } from '../api/description.js';
import { attributeLabel } from '../components/value.js';
import { useTexts } from '../translations/i18n.js';
import { ChosenInput, type ListInput } from './chosen-input.js';

/** The columns of a view: attributes that lists of tasks contain. */
export function ColumnsInput(input: ListInput) {
  const texts = useTexts();
  const options = descriptionOf('tasks')
    .attributes.filter(({ listed }) => listed)
    .map(({ name }) => name);
  return (
    <ChosenInput<string[]>
      {...input}
      source="columns"
      helper={texts('help.columns')}
      options={() => options}
      labelOf={(name) => attributeLabel(name, texts)}
      read={(columns) => columns ?? []}
      write={(columns) => columns}
    />
  );
}

const attributeOf = (key: string): string => key.replace(/^-/, '');

/** The order of a view: sort keys of tasks, each ascending or descending (docs/api-contract.md#sorter). */
export function SorterInput(input: ListInput) {
  const texts = useTexts();
  const keys = descriptionOf('tasks')
    .attributes.filter(({ sortable }) => sortable)
    .flatMap(({ name }) => [name, `-${name}`]);
  return (
    <ChosenInput<string>
      {...input}
      source="sorter"
      helper={texts('help.sorter')}
      options={(chosen) => {
        const names = chosen.map(attributeOf);
        return keys.filter((key) => chosen.includes(key) || !names.includes(attributeOf(key)));
      }}
      labelOf={(key) =>
        texts(key.startsWith('-') ? 'sorter.desc' : 'sorter.asc', {
          name: attributeLabel(attributeOf(key), texts),
        })
      }
      read={(sorter) => (sorter ? sorter.split(',') : [])}
      write={(chosen) => (chosen.length > 0 ? chosen.join(',') : null)}
    />
  );
}
