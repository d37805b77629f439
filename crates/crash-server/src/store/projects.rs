use sqlx::{AssertSqlSafe, Row};

use super::{Result, Store};

/// What belongs to a project, by the column that says to which.
const TABLES: [&str; 9] =
    ["keys", "inbox", "dead_letters", "notifications", "reports", "meetings", "cohorts", "bugs", "maps"];

impl Store {
    pub async fn projects(&self) -> Result<Vec<String>> {
        let rows = sqlx::query("SELECT name FROM projects ORDER BY name").fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Gives whether there was such a project.
    pub async fn remove_project(&self, name: &str) -> Result<bool> {
        let mut writing = self.begin().await?;
        let found = sqlx::query("SELECT id FROM projects WHERE name = $1")
            .bind(name.to_owned())
            .fetch_optional(&mut *writing.transaction)
            .await?;
        let Some(row) = found else { return Ok(false) };
        let project: i64 = row.try_get(0)?;
        for table in TABLES {
            let text = format!("DELETE FROM {table} WHERE project = $1");
            sqlx::query(AssertSqlSafe(text)).bind(project).execute(&mut *writing.transaction).await?;
        }
        sqlx::query("DELETE FROM projects WHERE id = $1").bind(project).execute(&mut *writing.transaction).await?;
        writing.commit().await?;
        Ok(true)
    }
}
