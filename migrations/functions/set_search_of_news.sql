-- Keeps the columns by which news are searched (docs/decisions/0006).
CREATE OR REPLACE FUNCTION set_search_of_news() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.quick_search := search_text(concat_ws(' ', NEW.title, NEW.description, NEW.summary, NEW.body, NEW.category));
  NEW.search_title := cut_title(fold(NEW.title));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER news_set_search BEFORE INSERT OR UPDATE ON news
  FOR EACH ROW EXECUTE FUNCTION set_search_of_news();
