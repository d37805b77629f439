Promise.reject({ code: 42 });
