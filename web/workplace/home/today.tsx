import { NewsOfTheDay } from './news-of-the-day.js';
import { NextTasks } from './next-tasks.js';

/** What a person should know before anything else: the next tasks, and the news. */
export function Today() {
  return (
    <div className="today">
      <NextTasks />
      <NewsOfTheDay />
    </div>
  );
}
