-- Keeps the columns by which faqs are searched (docs/decisions/0006).
CREATE OR REPLACE FUNCTION set_search_of_faqs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.quick_search := search_text(concat_ws(' ', NEW.question, NEW.answer, NEW.description, NEW.category, NEW.keywords));
  NEW.search_title := cut_title(fold(NEW.question));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER faqs_set_search BEFORE INSERT OR UPDATE ON faqs
  FOR EACH ROW EXECUTE FUNCTION set_search_of_faqs();
