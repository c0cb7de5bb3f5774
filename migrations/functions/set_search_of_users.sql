-- Keeps the columns by which users are searched (docs/decisions/0006).
CREATE OR REPLACE FUNCTION set_search_of_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.quick_search := search_text(concat_ws(' ', NEW.login, NEW.first_name, NEW.last_name, NEW.nick_name, NEW.title, NEW.email, NEW.phone_number,
    NEW.mobile_phone_number, NEW.user_function));
  NEW.search_title := cut_title(fold(NEW.title));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER users_set_search BEFORE INSERT OR UPDATE ON users
  FOR EACH ROW EXECUTE FUNCTION set_search_of_users();
