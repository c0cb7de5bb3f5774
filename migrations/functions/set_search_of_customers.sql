-- Keeps the columns by which customers are searched (docs/decisions/0006).
CREATE OR REPLACE FUNCTION set_search_of_customers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.quick_search := search_text(concat_ws(' ', NEW.name, NEW.code, NEW.description, NEW.tax_number, NEW.email, NEW.phone_number, NEW.address,
    NEW.city, NEW.country, NEW.contact_name));
  NEW.search_title := cut_title(fold(NEW.name));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER customers_set_search BEFORE INSERT OR UPDATE ON customers
  FOR EACH ROW EXECUTE FUNCTION set_search_of_customers();
