use sqlx::{AssertSqlSafe, Row};

use super::{Dialect, ProjectId, Result, Store, Writing};

/// What belongs to a project, by the column that says to which. Dead letters go before the inbox, into which they are put back.
const TABLES: [&str; 9] =
    ["keys", "dead_letters", "inbox", "notifications", "reports", "meetings", "cohorts", "bugs", "maps"];

impl Store {
    pub async fn projects(&self) -> Result<Vec<String>> {
        let rows = sqlx::query("SELECT name FROM projects ORDER BY name").fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Gives whether there was such a project.
    pub async fn remove_project(&self, name: &str) -> Result<bool> {
        let mut writing = self.begin().await?;
        // Whoever adds something to the project has ended then, or waits and finds it gone.
        let text = match self.dialect {
            Dialect::Sqlite => "SELECT id FROM projects WHERE name = $1",
            Dialect::Postgres => "SELECT id FROM projects WHERE name = $1 FOR UPDATE",
        };
        let found = sqlx::query(text).bind(name.to_owned()).fetch_optional(&mut *writing.transaction).await?;
        let Some(row) = found else { return Ok(false) };
        let project: i64 = row.try_get(0)?;
        for table in TABLES {
            let text = match (table, self.dialect) {
                // Whoever has taken one of these waits for the project, and finds no report then.
                ("inbox", Dialect::Postgres) => {
                    "DELETE FROM inbox WHERE seq IN (SELECT seq FROM inbox WHERE project = $1 FOR UPDATE SKIP LOCKED)"
                        .to_owned()
                }
                _ => format!("DELETE FROM {table} WHERE project = $1"),
            };
            sqlx::query(AssertSqlSafe(text)).bind(project).execute(&mut *writing.transaction).await?;
        }
        sqlx::query("DELETE FROM projects WHERE id = $1").bind(project).execute(&mut *writing.transaction).await?;
        writing.commit().await?;
        Ok(true)
    }
}

impl Writing {
    /// Keeps a project from being removed until this ends, and nobody from its work. Gives whether there is such a project.
    pub async fn hold_project(&mut self, dialect: Dialect, project: ProjectId) -> Result<bool> {
        let text = match dialect {
            Dialect::Sqlite => "SELECT id FROM projects WHERE id = $1",
            Dialect::Postgres => "SELECT id FROM projects WHERE id = $1 FOR KEY SHARE",
        };
        Ok(sqlx::query(text).bind(project.0).fetch_optional(&mut *self.transaction).await?.is_some())
    }

    /// Who has it alone changes bugs of the project. Gives whether there is such a project.
    pub async fn lock_project(&mut self, dialect: Dialect, project: ProjectId) -> Result<bool> {
        let text = match dialect {
            Dialect::Sqlite => "SELECT id FROM projects WHERE id = $1",
            Dialect::Postgres => "SELECT id FROM projects WHERE id = $1 FOR NO KEY UPDATE",
        };
        Ok(sqlx::query(text).bind(project.0).fetch_optional(&mut *self.transaction).await?.is_some())
    }
}
